// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ostream>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/idle_of.hpp>
#include <stretto/bound/idle_times.hpp>
#include <stretto/bound/measured_costs.hpp>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/report/run_page.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/static/query/describe.hpp>
#include <stretto/static/query/plan_view.hpp>
#include <stretto/watch/padding_result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

/// Writes a page of HTML about one run of a schedule of types, recorded by a `timeline`: what it
/// took and could have taken, pictures of some batches, what bounds it, how much of each task's
/// time is exposed, what threads waited for, and the plan. The page needs no other file, no network
/// and no script. On it are \p advice, such as the text of `advise`, unless the model is off by
/// more than 5 %, and \p padded, what a `padding` found in other runs of the schedule. \p Pace is
/// what the pipeline had, `run_ahead` or `barrier`. It says of which tasks the record has no run:
/// their weights count as nanoseconds. An invalid schedule is an error. Throws `usage_error` if \p
/// padded is of other tasks.
template <class Schedule, class Pace = run_ahead>
void write_report(std::ostream& out, const timeline& record, Pace pace = {},
                  std::string_view advice = {}, const padding_result* padded = nullptr) {
  const std::vector<task_cost> costs = measured_costs(record);
  const plan_bound bound =
      bound_of<Schedule>(planner::view<task_cost>(costs.data(), costs.size()), pace);
  const idle_times idle = idle_of<Schedule>(record, pace);
  const std::string description = describe<Schedule>();
  const report::detail::facts known{name_of<Schedule>.text,
                                    typed::plan_view_of<Schedule>,
                                    record,
                                    bound,
                                    idle,
                                    description,
                                    advice,
                                    padded};
  out << report::detail::run_page(known).text();
}
/// Of a schedule that is a value: \p planned is a `dynamic::planned_schedule`.
template <class Planned, class Pace = run_ahead>
  requires requires(const Planned& p) { p.plan().resolved; }
void write_report(std::ostream& out, const Planned& planned, const timeline& record, Pace pace = {},
                  std::string_view advice = {}, const padding_result* padded = nullptr) {
  const std::vector<task_cost> costs = measured_costs(record);
  const plan_bound bound =
      bound_of(planned, planner::view<task_cost>(costs.data(), costs.size()), pace);
  const idle_times idle = idle_of(planned, record, pace);
  const std::string description = planned.describe();
  const planner::viewed_plan viewed(planned.declaration(), planned.plan());
  const planner::plan_view view = viewed.view();
  const report::detail::facts known{planned.input().name, view,   record, bound, idle,
                                    description,          advice, padded};
  out << report::detail::run_page(known).text();
}

}  // namespace stretto
