// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/calls_bound.hpp>
#include <stretto/bound/cost_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>

namespace stretto {

/// What the calls of a schedule whose tasks consume and produce items take per batch at best, one
/// by one and in one piece per task, at run time or in a constant: by the weights of its tasks,
/// except those whose time \p costs tell, which is that of all calls for a batch. Also of a
/// schedule without items. Takes a step for each call of a batch, which are many for a compiler. An
/// invalid schedule is an error. Throws `usage_error` if \p costs name what is no task of it, name
/// one twice or are negative.
template <class Schedule>
constexpr calls_bound calls_bound_of(planner::view<task_cost> costs) {
  constexpr const auto& p = plan_of<Schedule>;
  const planner::graph g = planner::planned_graph(typed::declared<Schedule>::value);
  return {typed::declared<Schedule>::value, g, p.edges, costs};
}
template <class Schedule>
constexpr calls_bound calls_bound_of(std::initializer_list<bound::cost_of<Schedule>> costs = {}) {
  return calls_bound_of<Schedule>(planner::view<task_cost>(bound::costs_of<Schedule>(costs)));
}

/// Of a schedule that is a value: \p planned is a `dynamic::planned_schedule`, which has to outlive
/// what is returned.
template <bound::planned Planned>
calls_bound calls_bound_of(const Planned& planned, planner::view<task_cost> costs) {
  return {planned.declaration(), planned.plan().resolved, planned.plan().edges, costs};
}
template <bound::planned Planned>
calls_bound calls_bound_of(const Planned& planned, std::initializer_list<task_cost> costs = {}) {
  return calls_bound_of<Planned>(planned, planner::view<task_cost>(costs.begin(), costs.size()));
}
/// What is returned would name tasks that are gone.
template <bound::planned Planned>
calls_bound calls_bound_of(const Planned&& planned, planner::view<task_cost> costs) = delete;
template <bound::planned Planned>
calls_bound calls_bound_of(const Planned&& planned,
                           std::initializer_list<task_cost> costs = {}) = delete;

}  // namespace stretto
