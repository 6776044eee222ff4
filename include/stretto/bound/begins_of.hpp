// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/keeps_to.hpp>
#include <stretto/bound/planned.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>
#include <vector>

namespace stretto {

/// When a task begins, in a run of a plan whose progresses are one `plan_bound::period()` apart:
/// progress i begins at i periods, and the task for it, `periods` of them and `at` later. What
/// modulo scheduling calls its start time.
struct task_begin {
  std::string_view task;  ///< "pull" is the source
  std::string_view thread;
  long long periods = 0;
  planner::ratio at{0, 1};  ///< less than a period; `time` / `progresses` in the unit of the costs

  friend constexpr bool operator==(const task_begin&, const task_begin&) = default;
};

/// When the tasks of a plan begin, each as early as it can, in the order in which they work:
/// `bound_of` the plan tells the period. Threads run ahead of each other. \p planned is a
/// `dynamic::planned_schedule`, which has to outlive what is told. Throws as `bound_of` does.
template <bound::planned Planned>
std::vector<task_begin> begins_of(const Planned& planned, planner::view<task_cost> costs) {
  const planner::plan& p = planned.plan();
  const bound::shared::node_times times(planned.declaration(), p.resolved, costs);
  const planner::timing waits = bound::shared::waits_of(p.resolved, p.edges, times.all);
  const auto& threads = p.threads;
  planner::period_finder finder(waits);
  const planner::ratio period =
      planner::period_on(finder, waits, p.order, threads.thread_of, threads.workers);
  std::vector<task_begin> all;
  for (const std::size_t n : p.order) {
    if (n == p.resolved.deliver()) continue;
    const long long start = finder.starts()[n];
    const long long turns = period.time == 0 ? 0 : start / period.time;
    all.push_back({times.names[n], threads.names[threads.thread_of[n]], turns,
                   planner::ratio{start - turns * period.time, period.progresses}});
  }
  return all;
}
template <bound::planned Planned>
std::vector<task_begin> begins_of(const Planned& planned,
                                  std::initializer_list<task_cost> costs = {}) {
  return begins_of<Planned>(planned, planner::view<task_cost>(costs.begin(), costs.size()));
}
/// What is returned would name tasks that are gone.
template <bound::planned Planned>
std::vector<task_begin> begins_of(const Planned&& planned, planner::view<task_cost> costs) = delete;
template <bound::planned Planned>
std::vector<task_begin> begins_of(const Planned&& planned,
                                  std::initializer_list<task_cost> costs = {}) = delete;

}  // namespace stretto
