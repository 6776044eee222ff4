// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <charconv>
#include <cmath>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/file/cost_times.hpp>
#include <stretto/bound/file/file_text.hpp>
#include <stretto/bound/file/range_summary.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/text/utf8.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <system_error>

namespace stretto::bound::detail {

inline long long nanoseconds_in(const range_summary::row& r, const std::string& written,
                                std::string_view name) {
  double time = -1;
  const char* const end = written.data() + written.size();
  const auto read = std::from_chars(written.data(), end, time);
  if (read.ec != std::errc() || read.ptr != end || !(time >= 0 && time <= longest_cost))
    refuse(name, "line " + std::to_string(r.line) + ": range `" + text::visible_name(r.range) +
                     "` has no time in nanoseconds, but `" +
                     text::visible(text::beginning(written, 40)) + "`");
  return std::llround(time);
}

/// The medians of tasks' ranges as Nsight Systems prints them, and between what times they were;
/// the source takes nothing. Throws `dynamic::file_error`, with \p name, if there is no such range,
/// or no time for one.
inline cost_times nvtx_costs(std::string_view text, std::string_view name) {
  constexpr std::string_view domain = "stretto:";
  const range_summary summary(text);
  if (!summary.has_table())
    refuse(name,
           "this is no report of NVTX ranges in nanoseconds: it has no columns \"Range\" and "
           "\"Med (ns)\" or \"Proj Med (ns)\"; `nsys stats --report nvtx_sum --format csv` "
           "prints one");
  cost_times medians;
  for (const range_summary::row& r : summary.rows()) {
    if (r.range.substr(0, domain.size()) != domain) continue;
    const std::string task = r.range.substr(domain.size());
    if (task == planner::pull_name || task == planner::deliver_name) continue;
    task_cost cost{{}, nanoseconds_in(r, r.median, name)};
    if (!r.least.empty() && !r.most.empty()) {
      cost.least = nanoseconds_in(r, r.least, name);
      cost.most = nanoseconds_in(r, r.most, name);
    }
    medians.insert_or_assign(task, cost);
  }
  if (medians.empty())
    refuse(name, "no range is of the domain `stretto`: profile a run with `st::nvtx_ranges`");
  medians.emplace(planner::pull_name, task_cost{});
  return medians;
}

}  // namespace stretto::bound::detail
