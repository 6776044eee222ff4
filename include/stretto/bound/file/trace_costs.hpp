// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stretto/bound/file/cost_times.hpp>
#include <stretto/bound/file/file_text.hpp>
#include <stretto/bound/file/parsed_json.hpp>
#include <stretto/bound/time_spread.hpp>
#include <stretto/plan/model/graph.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::bound::detail {

/// The times of tasks in a trace, as `write_trace` writes it: their medians, and from where to
/// where nine of ten are; the source takes nothing. Throws `dynamic::file_error`, with \p name, if
/// it is no such trace.
inline cost_times trace_costs(std::string_view text, std::string_view name) {
  const auto holds = [](const nlohmann::json& object, const char* field, const char* value) {
    const auto found = object.find(field);
    return found != object.end() && found->is_string() && *found == value;
  };
  std::map<std::string, std::vector<long long>, std::less<>> times;
  each_event(text, name, [&](const nlohmann::json& e, std::size_t number) {
    if (!e.is_object() || !holds(e, "ph", "X") || !holds(e, "cat", "task")) return;
    const auto task = e.find("name");
    const auto took = e.find("dur");
    const double in_nanoseconds =
        task != e.end() && task->is_string() && took != e.end() && took->is_number()
            ? took->get<double>() * 1e3
            : -1;
    if (!(in_nanoseconds >= 0 && in_nanoseconds <= longest_cost))
      refuse(name, "event " + std::to_string(number) + " is of a task, and has no name or no time");
    times[task->get<std::string>()].push_back(std::llround(in_nanoseconds));
  });
  if (times.empty()) refuse(name, "no task ran in this trace");
  cost_times medians;
  medians.emplace(planner::pull_name, task_cost{});
  for (auto& [task, all] : times) medians.insert_or_assign(task, shared::cost_of_times({}, all));
  return medians;
}

}  // namespace stretto::bound::detail
