// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <stretto/bound/cost_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/plan_least.hpp>
#include <stretto/bound/planned.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/query/planned_nodes.hpp>
#include <stretto/static/values/declared.hpp>

namespace stretto {

/// What no other plan of a schedule's tasks goes below, at run time or in a constant: by the
/// weights of its tasks, except those whose time \p costs tell. An invalid schedule is an error.
/// Throws `usage_error` if \p costs name what is no task of it, name one twice or are negative.
template <class Schedule>
constexpr plan_least least_of(planner::view<task_cost> costs) {
  constexpr const auto& p = plan_of<Schedule>;
  const planner::graph g = typed::planned_nodes<Schedule>();
  return {typed::declared<Schedule>::value, g, p.edges, p.thread_of, p.workers, costs};
}
template <class Schedule>
constexpr plan_least least_of(std::initializer_list<bound::cost_of<Schedule>> costs = {}) {
  return least_of<Schedule>(planner::view<task_cost>(bound::costs_of<Schedule>(costs)));
}

/// Of a schedule that is a value: \p planned is a `dynamic::planned_schedule`, which has to outlive
/// what is returned.
template <bound::planned Planned>
plan_least least_of(const Planned& planned, planner::view<task_cost> costs) {
  const planner::plan& p = planned.plan();
  return {planned.declaration(), p.resolved,        p.edges,
          p.threads.thread_of,   p.threads.workers, costs};
}
template <bound::planned Planned>
plan_least least_of(const Planned& planned, std::initializer_list<task_cost> costs = {}) {
  return least_of<Planned>(planned, planner::view<task_cost>(costs.begin(), costs.size()));
}

/// What is returned would name tasks that are gone.
template <bound::planned Planned>
plan_least least_of(const Planned&& planned, planner::view<task_cost> costs) = delete;
template <bound::planned Planned>
plan_least least_of(const Planned&& planned, std::initializer_list<task_cost> costs = {}) = delete;

}  // namespace stretto
