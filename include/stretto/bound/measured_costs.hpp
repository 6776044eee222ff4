// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/time_spread.hpp>
#include <stretto/observe/timeline.hpp>
#include <vector>

namespace stretto {

/// What the tasks of a pipeline took for a batch, in nanoseconds: the median of those runs that its
/// timeline kept, and from where to where nine of ten of them were. Waiting is not in it, but
/// whatever else a core did meanwhile is. The source counts nothing: how much of a pull is work and
/// how much is waiting for a batch, only the source knows. Refers to the timeline's names.
inline std::vector<task_cost> measured_costs(const timeline& record) {
  if (record.tasks().empty()) return {};  // no pipeline has told it anything
  const std::size_t tasks = record.tasks().size() - 2;
  std::vector<std::vector<long long>> times(tasks);
  for (std::size_t t = 0; t < record.threads().size(); ++t)
    for (const timeline::span& run : record.spans(t))
      if (run.task < tasks)
        times[run.task].push_back(
            std::chrono::duration_cast<std::chrono::nanoseconds>(run.end - run.begin).count());
  std::vector<task_cost> costs{{"pull", 0}};
  for (std::size_t n = 0; n < tasks; ++n) {
    std::vector<long long>& all = times[n];
    if (all.empty()) continue;
    costs.push_back(bound::shared::cost_of_times(record.tasks()[n], all));
  }
  return costs;
}

}  // namespace stretto
