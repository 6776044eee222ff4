// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/cost_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/simulation.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>

namespace stretto {

/// Runs a schedule's plan for \p batches batches in virtual time, at run time or in a constant: by
/// the weights of its tasks, except those whose time \p costs tell. \p Pace is `run_ahead` or
/// `barrier`. An invalid schedule is an error. Throws `usage_error` if \p costs name what is no
/// task of it, name one twice or are negative.
template <class Schedule, bound::pace Pace = run_ahead>
constexpr simulation simulate(planner::view<task_cost> costs, std::size_t batches, Pace = {}) {
  constexpr const auto& p = plan_of<Schedule>;
  const planner::graph g = planner::planned_graph(typed::declared<Schedule>::value);
  const planner::view<planner::edge> waits = Pace::meets
                                                 ? planner::view<planner::edge>(p.barrier.edges)
                                                 : planner::view<planner::edge>(p.run_ahead.edges);
  return {typed::declared<Schedule>::value,
          g,
          p.order,
          waits,
          p.thread_of,
          p.workers,
          p.thread_names,
          costs,
          batches,
          Pace::meets};
}
template <class Schedule, bound::pace Pace = run_ahead>
constexpr simulation simulate(std::initializer_list<bound::cost_of<Schedule>> costs,
                              std::size_t batches, Pace = {}) {
  return simulate<Schedule, Pace>(planner::view<task_cost>(bound::costs_of<Schedule>(costs)),
                                  batches);
}

/// Of a schedule that is a value: \p planned is a `dynamic::planned_schedule`, which has to outlive
/// the simulation.
template <bound::planned Planned, bound::pace Pace = run_ahead>
simulation simulate(const Planned& planned, planner::view<task_cost> costs, std::size_t batches,
                    Pace = {}) {
  const planner::plan& p = planned.plan();
  const planner::list<planner::edge> ahead = planned.run_ahead_waits();
  return {planned.declaration(),
          p.resolved,
          p.order,
          Pace::meets ? p.host_waits : ahead,
          p.threads.thread_of,
          p.threads.workers,
          p.threads.names,
          costs,
          batches,
          Pace::meets};
}
template <bound::planned Planned, bound::pace Pace = run_ahead>
simulation simulate(const Planned& planned, std::initializer_list<task_cost> costs,
                    std::size_t batches, Pace = {}) {
  return simulate<Planned, Pace>(planned, planner::view<task_cost>(costs.begin(), costs.size()),
                                 batches);
}

}  // namespace stretto
