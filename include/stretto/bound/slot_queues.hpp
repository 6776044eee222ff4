// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <vector>

namespace stretto::bound {

/// A slot as a queue of batches. A batch waits there from when all \c writers have ended for it
/// until all \c readers have begun on it. Reads of earlier batches do not count.
struct slot_queue {
  std::size_t slot = 0;
  std::vector<std::size_t> writers;  ///< nodes, the source first, then by number
  std::vector<std::size_t> readers;  ///< tasks that do not write it, by number
};

/// Those of a plan: of all slots that somebody fills, and a task reads.
inline std::vector<slot_queue> slot_queues(const planner::plan_view& plan) {
  std::vector<slot_queue> all;
  for (std::size_t s = 0; s < plan.slot_list.size(); ++s) {
    const auto is_used = [&](const planner::access& a) { return a.slot == plan.slot_list[s]; };
    slot_queue of{s, {}, {}};
    if (plan.declared.from.slot == plan.slot_list[s]) of.writers.push_back(plan.tasks());
    for (std::size_t t = 0; t < plan.tasks(); ++t) {
      const planner::task& task = plan.declared.tasks[t];
      if (std::any_of(task.writes.begin(), task.writes.end(), is_used)) {
        of.writers.push_back(t);
      } else if (std::any_of(task.reads.begin(), task.reads.end(), [&](const planner::access& a) {
                   return is_used(a) && a.ago == 0 && !a.latest;
                 })) {
        of.readers.push_back(t);
      }
    }
    if (!of.writers.empty() && !of.readers.empty()) all.push_back(of);
  }
  return all;
}

}  // namespace stretto::bound
