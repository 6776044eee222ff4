// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <initializer_list>
#include <stretto/bound/cost_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/bound/planned.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/query/planned_nodes.hpp>
#include <stretto/static/values/declared.hpp>

namespace stretto {

namespace bound {

/// How threads keep pace: `run_ahead` or `barrier`.
template <class Type>
concept pace = std::same_as<typename Type::stretto_tag, tag::pace>;

}  // namespace bound

/// What bounds the time per progress of a schedule, at run time or in a constant: by the weights of
/// its tasks, except those whose time \p costs tell. \p Pace is `run_ahead` or `barrier`. An
/// invalid schedule is an error. Throws `usage_error` if \p costs name what is no task of it, name
/// one twice or are negative.
template <class Schedule, bound::pace Pace = run_ahead>
constexpr plan_bound bound_of(planner::view<task_cost> costs, Pace = {}) {
  constexpr const auto& p = plan_of<Schedule>;
  const planner::graph g = typed::planned_nodes<Schedule>();
  return {typed::declared<Schedule>::value,
          g,
          p.order,
          p.edges,
          p.thread_of,
          p.workers,
          p.thread_names,
          costs,
          Pace::meets};
}
template <class Schedule, bound::pace Pace = run_ahead>
constexpr plan_bound bound_of(std::initializer_list<bound::cost_of<Schedule>> costs = {},
                              Pace = {}) {
  return bound_of<Schedule, Pace>(planner::view<task_cost>(bound::costs_of<Schedule>(costs)));
}

/// What bounds a schedule that is a value: \p planned is a `dynamic::planned_schedule`, which has
/// to outlive the bound.
template <bound::planned Planned, bound::pace Pace = run_ahead>
plan_bound bound_of(const Planned& planned, planner::view<task_cost> costs, Pace = {}) {
  const planner::plan& p = planned.plan();
  return {planned.declaration(), p.resolved,      p.order, p.edges,    p.threads.thread_of,
          p.threads.workers,     p.threads.names, costs,   Pace::meets};
}
template <bound::planned Planned, bound::pace Pace = run_ahead>
plan_bound bound_of(const Planned& planned, std::initializer_list<task_cost> costs = {},
                    Pace = {}) {
  return bound_of<Planned, Pace>(planned, planner::view<task_cost>(costs.begin(), costs.size()));
}
/// What is returned would name tasks that are gone.
template <bound::planned Planned, bound::pace Pace = run_ahead>
plan_bound bound_of(const Planned&& planned, planner::view<task_cost> costs, Pace = {}) = delete;
template <bound::planned Planned, bound::pace Pace = run_ahead>
plan_bound bound_of(const Planned&& planned, std::initializer_list<task_cost> costs = {},
                    Pace = {}) = delete;

}  // namespace stretto
