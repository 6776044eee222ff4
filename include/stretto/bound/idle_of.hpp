// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/idle_times.hpp>
#include <stretto/observe/recorded_wait.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/static/query/plan_view.hpp>
#include <vector>

namespace stretto {

/// What the threads of a run waited for: of a schedule of types, and of one run of it, recorded by
/// a `timeline` (see \c clear). \p Pace is what the pipeline had, `run_ahead` or `barrier`. The
/// record's oldest runs may be missing. If the timeline was paused, the time that it was is left
/// out, and so are waits for tasks that ran then. An invalid schedule is an error. Throws
/// `usage_error` if the record is of another schedule.
template <class Schedule, bound::pace Pace = run_ahead>
idle_times idle_of(const timeline& record, Pace = {}) {
  return bound::detail::find_idle(typed::plan_view_of<Schedule>, record, Pace::meets);
}
/// Of a schedule that is a value: \p planned is a `dynamic::planned_schedule`.
template <bound::planned Planned, bound::pace Pace = run_ahead>
idle_times idle_of(const Planned& planned, const timeline& record, Pace = {}) {
  const planner::viewed_plan viewed(planned.declaration(), planned.plan());
  const planner::plan_view view = viewed.view();
  return bound::detail::find_idle(view, record, Pace::meets);
}

/// Each time that a thread of a run was free and waited for a task on another: for `write_trace`.
/// Parameters and errors are those of `idle_of`.
template <class Schedule, bound::pace Pace = run_ahead>
std::vector<recorded_wait> waits_of(const timeline& record, Pace = {}) {
  return bound::detail::find_waits(typed::plan_view_of<Schedule>, record, Pace::meets);
}
template <bound::planned Planned, bound::pace Pace = run_ahead>
std::vector<recorded_wait> waits_of(const Planned& planned, const timeline& record, Pace = {}) {
  const planner::viewed_plan viewed(planned.declaration(), planned.plan());
  const planner::plan_view view = viewed.view();
  return bound::detail::find_waits(view, record, Pace::meets);
}

}  // namespace stretto
