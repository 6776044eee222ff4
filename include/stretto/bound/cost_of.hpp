// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <stretto/bound/costs.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>

namespace stretto::bound {

/// What a task of a schedule of types takes. That it is a task of it is looked at where it is
/// written: in a constant a compiler points there, and shows the name.
template <class Schedule>
struct cost_of : task_cost {
  constexpr cost_of(std::string_view named, long long takes) : task_cost{named, takes} {
    if (!is_timed(named)) shared::costs_name_what_is_no_task_of_this_plan(named);
  }
  constexpr cost_of(const task_cost& cost) : cost_of(cost.task, cost.time) {}

 private:
  static constexpr bool is_timed(std::string_view named) {
    for (const planner::task& t : typed::declared<Schedule>::value.tasks)
      if (t.id.text == named) return true;
    return named == planner::pull_name;
  }
};

/// Such costs as they are of any plan.
template <class Schedule>
constexpr planner::list<task_cost> costs_of(std::initializer_list<cost_of<Schedule>> named) {
  planner::list<task_cost> costs;
  for (const cost_of<Schedule>& one : named) costs.push_back(one);
  return costs;
}

}  // namespace stretto::bound
