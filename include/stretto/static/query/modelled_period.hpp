// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/layout/modelled_period.hpp>
#include <stretto/static/query/plan_of.hpp>

namespace stretto {

namespace typed::detail {

template <class Schedule>
inline constexpr planner::modelled modelled_as = [] {
  constexpr const auto& p = plan_of<Schedule>;
  const planner::graph g = planner::planned_graph(declared<Schedule>::value);
  return planner::make_modelled(declared<Schedule>::value, g, p.order, p.edges, p.thread_of,
                                p.workers);
}();

}  // namespace typed::detail

/// The time that a progress takes, by the weights of the schedule's tasks, if threads run ahead of
/// each other as far as the plan's edges allow and waiting takes no time: a `planner::ratio`, in
/// the unit of the weights. Exact, for any schedule and thread map. An invalid schedule is an
/// error.
template <class Schedule>
inline constexpr planner::ratio modelled_period = typed::detail::modelled_as<Schedule>.period;

/// A lower bound of the modelled period: no map on as many threads takes less. It is the larger of
/// an equal share of the work, the longest task, what pinned tasks give to a thread, and what the
/// edges of the plan ask for whoever runs the tasks.
template <class Schedule>
inline constexpr planner::ratio period_bound = typed::detail::modelled_as<Schedule>.least;

}  // namespace stretto
