// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>

namespace stretto {

/// What bounds the time per progress of a schedule, at run time or in a constant: by the weights of
/// its tasks, except those whose time \p costs tell. An invalid schedule is an error.
/// Throws `usage_error` if \p costs name what is no task of it, name one twice or are negative.
template <class Schedule>
constexpr plan_bound bound_of(planner::view<task_cost> costs) {
  constexpr const auto& p = plan_of<Schedule>;
  const planner::graph g = planner::planned_graph(typed::declared<Schedule>::value);
  return {typed::declared<Schedule>::value,
          g,
          p.order,
          p.edges,
          p.thread_of,
          p.workers,
          p.thread_names,
          costs};
}
template <class Schedule>
constexpr plan_bound bound_of(std::initializer_list<task_cost> costs = {}) {
  return bound_of<Schedule>(planner::view<task_cost>(costs.begin(), costs.size()));
}

/// What bounds a schedule that is a value: \p planned is a `dynamic::planned_schedule`, which has
/// to outlive the bound.
template <class Planned>
  requires requires(const Planned& p) {
    p.declaration();
    p.plan().resolved;
  }
plan_bound bound_of(const Planned& planned, planner::view<task_cost> costs) {
  const planner::plan& p = planned.plan();
  return {planned.declaration(), p.resolved,        p.order,         p.edges,
          p.threads.thread_of,   p.threads.workers, p.threads.names, costs};
}
template <class Planned>
  requires requires(const Planned& p) {
    p.declaration();
    p.plan().resolved;
  }
plan_bound bound_of(const Planned& planned, std::initializer_list<task_cost> costs = {}) {
  return bound_of(planned, planner::view<task_cost>(costs.begin(), costs.size()));
}

}  // namespace stretto
