// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/replan.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto::dynamic {

namespace detail {

/// The thread group that the calling thread was to run may have no tasks any more.
inline void keep_caller_runs(schedule& s) {
  bool there = s.source.thread == s.caller_runs;
  for (const task& t : s.tasks)
    there = there || (!t.thread.empty()   ? t.thread
                      : !t.stream.empty() ? t.stream
                                          : std::string("host")) == s.caller_runs;
  if (!there) s.caller_runs = "caller";
}

/// What is said of slots that only a task used which is no more.
inline void forget_slots(schedule& s, const task& gone) {
  const auto uses = [](const task& t, const std::string& slot) {
    const auto is_of = [&](const use& u) { return u.slot == slot; };
    return std::any_of(t.reads.begin(), t.reads.end(), is_of) ||
           std::any_of(t.writes.begin(), t.writes.end(), is_of);
  };
  const auto forgotten = [&](const auto& said) {
    return uses(gone, said.slot) && said.slot != s.source.slot &&
           std::none_of(s.tasks.begin(), s.tasks.end(),
                        [&](const task& t) { return uses(t, said.slot); });
  };
  std::erase_if(s.types, forgotten);
  std::erase_if(s.slacks, forgotten);
  std::erase_if(s.points, forgotten);
}

}  // namespace detail

STRETTO_INLINE schedule without(schedule s, const std::vector<std::string>& names) {
  for (auto named = names.begin(); named != names.end(); ++named) {
    const std::string& name = *named;
    const task* const found = s.find(name);
    if (found == nullptr && std::find(names.begin(), named, name) != named)
      throw usage_error(detail::joined("schedule ", planner::quoted(s.name), " is to be without ",
                                       planner::quoted(name), " twice; name it once"));
    if (found == nullptr) detail::refuse_task(s, name);
    const auto at = s.tasks.begin() + (found - s.tasks.data());
    const task gone = std::move(*at);
    s.tasks.erase(at);
    detail::forget_slots(s, gone);
    for (task& t : s.tasks) {
      std::erase(t.depends_on, name);
      std::erase(t.same_progress_sync, name);
      std::erase_if(t.cross_iter_depends_on, [&](const ago& a) { return a.task == name; });
    }
    for (std::vector<std::string>& order : s.orders) std::erase(order, name);
  }
  std::erase_if(s.orders, [](const std::vector<std::string>& order) { return order.empty(); });
  detail::keep_caller_runs(s);
  return s;
}

STRETTO_INLINE schedule on_caller(schedule s) {
  for (task& t : s.tasks)
    if (t.thread.empty()) t.thread = "caller";
  s.groups.clear();
  s.generated = 0;
  detail::keep_caller_runs(s);
  return s;
}

STRETTO_INLINE schedule per_task(schedule s) {
  for (task& t : s.tasks)
    if (t.thread.empty()) t.thread = t.name;
  s.generated = 0;
  detail::keep_caller_runs(s);
  return s;
}

STRETTO_INLINE schedule serial(schedule s) {
  s.serial = true;
  return s;
}

STRETTO_INLINE schedule pipelined(schedule s) {
  s.pipelined = true;
  return s;
}

}  // namespace stretto::dynamic
