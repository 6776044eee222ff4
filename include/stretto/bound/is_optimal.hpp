// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/bound/cost_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/keeps_to.hpp>
#include <stretto/bound/plan_least.hpp>
#include <stretto/bound/planned.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/errors/diagnosis.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/query/planned_nodes.hpp>
#include <stretto/static/values/declared.hpp>

namespace stretto {

namespace bound::detail {

/// Whether a plan takes the least period of any plan of its tasks, and if \p told says one, whether
/// that is it.
constexpr bool takes_the_least(const planner::declaration& d, const planner::graph& g,
                               planner::view<std::size_t> order, planner::view<planner::edge> edges,
                               planner::view<std::size_t> thread_of,
                               planner::view<std::size_t> workers, planner::view<task_cost> costs,
                               planner::ratio told = {0, 0}) {
  const shared::node_times times(d, g, costs);
  const planner::ratio least = plan_least(g, times, edges, thread_of, workers, told).period();
  // Where the least is known to be more than is told, no plan takes what is told.
  if (told.progresses > 0 && !(least == told)) return false;
  return shared::keeps_to(least, shared::waits_of(g, edges, times.all), order, thread_of, workers);
}
/// That of a plan that is a constant.
template <class Nodes, class Plan>
constexpr bool takes_the_least(const planner::declaration& d, const Nodes& nodes, const Plan& p,
                               planner::view<task_cost> costs, planner::ratio told = {0, 0}) {
  return takes_the_least(d, nodes.read(), p.order, p.edges, p.thread_of, p.workers, costs, told);
}
/// Whether such a plan takes \p told per progress.
template <class Nodes, class Plan>
constexpr bool takes(const planner::declaration& d, const Nodes& nodes, const Plan& p,
                     planner::view<task_cost> costs, planner::ratio told) {
  const planner::graph g = nodes.read();
  const shared::node_times times(d, g, costs);
  return planner::period_on(shared::waits_of(g, p.edges, times.all), p.order, p.thread_of,
                            p.workers) == told;
}

}  // namespace bound::detail

/// Whether a schedule is proved to be as fast as any plan of its tasks: `bound_of` it takes no
/// longer per progress than `least_of` it. False says that there may be a faster one, not that
/// there is. Errors as of `bound_of`.
template <class Schedule>
constexpr bool is_optimal(planner::view<task_cost> costs) {
  return bound::detail::takes_the_least(typed::declared<Schedule>::value, typed::nodes_of<Schedule>,
                                        plan_of<Schedule>, costs);
}
template <class Schedule>
constexpr bool is_optimal(std::initializer_list<bound::cost_of<Schedule>> costs = {}) {
  return is_optimal<Schedule>(planner::view<task_cost>(bound::costs_of<Schedule>(costs)));
}
template <bound::planned Planned>
bool is_optimal(const Planned& planned, planner::view<task_cost> costs) {
  const planner::plan& p = planned.plan();
  return bound::detail::takes_the_least(planned.declaration(), p.resolved, p.order, p.edges,
                                        p.threads.thread_of, p.threads.workers, costs);
}
template <bound::planned Planned>
bool is_optimal(const Planned& planned, std::initializer_list<task_cost> costs = {}) {
  return is_optimal<Planned>(planned, planner::view<task_cost>(costs.begin(), costs.size()));
}

/// Whether a schedule takes \p period per progress and is proved to be as fast as any plan of its
/// tasks, with these \p costs: `is_optimal`, and `bound_of` it takes that. A compiler is done with
/// it sooner than with both, as it has only to look whether each wait keeps to the period. For the
/// code that `search::as_replan` makes. Errors as of `bound_of`.
template <class Schedule>
constexpr bool is_optimal_at(planner::ratio period, std::initializer_list<task_cost> costs) {
  if constexpr (!is_valid<Schedule>) {
    // The error is that of the schedule, and no other follows.
    static_cast<void>(plan_of<Schedule>);
    return true;
  } else {
    return bound::detail::takes_the_least(typed::declared<Schedule>::value,
                                          typed::nodes_of<Schedule>, plan_of<Schedule>,
                                          {costs.begin(), costs.size()}, period);
  }
}

/// Whether a schedule takes \p period per progress, with these \p costs, as `bound_of` it tells,
/// with which a compiler has more to do. For the code that `search::as_replan` makes where no
/// compiler proves that no plan is faster. Errors as of `bound_of`.
template <class Schedule>
constexpr bool period_is(planner::ratio period, std::initializer_list<task_cost> costs) {
  if constexpr (!is_valid<Schedule>) {
    // The error is that of the schedule, and no other follows.
    static_cast<void>(plan_of<Schedule>);
    return true;
  } else {
    return bound::detail::takes(typed::declared<Schedule>::value, typed::nodes_of<Schedule>,
                                plan_of<Schedule>, {costs.begin(), costs.size()}, period);
  }
}

}  // namespace stretto
