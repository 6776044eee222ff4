// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ostream>
#include <stdexcept>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/idle_times.hpp>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/text/plan_view.hpp>
#include <stretto/plan/text/viewed_plan.hpp>
#include <stretto/report/exposed_curve.hpp>
#include <stretto/report/exposure_bars.hpp>
#include <stretto/report/idle_bars.hpp>
#include <stretto/report/overlaid_timelines.hpp>
#include <stretto/report/picture_style.hpp>
#include <stretto/report/plan_graph.hpp>
#include <stretto/report/progress_grid.hpp>
#include <stretto/run/pace.hpp>
#include <stretto/static/query/plan_view.hpp>
#include <stretto/watch/padding_result.hpp>
#include <string_view>

namespace stretto {

namespace report::detail {

inline void draw_graph(std::ostream& out, const planner::plan_view& plan, const plan_bound& bound) {
  if (plan.order.size() > plan_graph::most_nodes)
    throw std::invalid_argument(
        "a plan of more than 200 tasks, with its source and its results, "
        "is too large for a picture");
  out << with_style(plan_graph(plan, bound.cycle()).text());
}

inline void draw_progresses(std::ostream& out, const planner::plan_view& plan) {
  const progress_grid grid(plan);
  if (!grid.fits())
    throw std::invalid_argument("a picture of progresses has room for 11 batches in flight");
  out << with_style(grid.text());
}

}  // namespace report::detail

/// Draws a plan as SVG: a row for each thread with its tasks in order, the waits between threads as
/// arrows, and, lit, what bounds the time per progress with \p costs. \p Pace is what the pipeline
/// has, `run_ahead` or `barrier`. An invalid schedule is an error. Throws what `bound_of` does, and
/// `std::invalid_argument` if the plan has more than 200 tasks.
template <class Schedule, bound::pace Pace = run_ahead>
void draw_graph(std::ostream& out, planner::view<task_cost> costs = {}, Pace pace = {}) {
  report::detail::draw_graph(out, typed::plan_view_of<Schedule>, bound_of<Schedule>(costs, pace));
}
/// Of a schedule that is a value: \p planned is a `dynamic::planned_schedule`.
template <bound::planned Planned, bound::pace Pace = run_ahead>
void draw_graph(std::ostream& out, const Planned& planned, planner::view<task_cost> costs = {},
                Pace pace = {}) {
  const planner::viewed_plan viewed(planned.declaration(), planned.plan());
  report::detail::draw_graph(out, viewed.view(), bound_of(planned, costs, pace));
}

/// Draws as SVG which task works on which batch in which progress, of a run of a few batches:
/// prefill, steady state, drain. An invalid schedule is an error. Throws `std::invalid_argument` if
/// more than 11 batches are in flight.
template <class Schedule>
void draw_progresses(std::ostream& out) {
  report::detail::draw_progresses(out, typed::plan_view_of<Schedule>);
}
template <bound::planned Planned>
void draw_progresses(std::ostream& out, const Planned& planned) {
  const planner::viewed_plan viewed(planned.declaration(), planned.plan());
  report::detail::draw_progresses(out, viewed.view());
}

/// Draws as SVG the time per progress by the time of a task, up to twice what that is, and where it
/// is now. Costs of \p bound are in nanoseconds. Throws `usage_error` if there is no such task.
inline void draw_curve(std::ostream& out, const plan_bound& bound, std::string_view task) {
  out << report::detail::with_style(report::detail::exposed_curve(bound, task).text());
}

/// Draws as SVG what each thread of a run did: how long it was busy, and each wait.
inline void draw_idle(std::ostream& out, const idle_times& idle) {
  out << report::detail::with_style(report::detail::idle_bars(idle).text());
}

/// Draws as SVG what a progress would take less, at most, without the time of each task, as a
/// `padding` found: a bar for each, and the interval of that as a line.
inline void draw_exposed(std::ostream& out, const padding_result& padded) {
  out << report::detail::with_style(report::detail::exposure_bars(padded).text());
}

/// Draws as SVG some progresses of two runs, of one schedule or of two: a row for each thread and
/// stream, \p record in its upper half and \p other in its lower half, on one scale of time. Both
/// begin at the end of a batch, where a progress ends and the next one begins: the first after a
/// quarter of the batches, when a run has filled. Equally many progresses of both are drawn, eight
/// at most, and those of the shorter run that come after. A batch has the colour of that one of the
/// other run that comes as many batches after the begin; pointing at a bar shows its task, batch,
/// duration and run. \p zoom: how many times wider time is than on a page. Throws
/// `std::invalid_argument` unless that is more than 0, and if a record has no two such batches.
inline void draw_overlaid(std::ostream& out, std::string_view name, const timeline& record,
                          std::string_view other_name, const timeline& other, double zoom = 1) {
  if (!(zoom > 0)) throw std::invalid_argument("a picture's `zoom` has to be more than 0");
  const report::detail::overlaid_timelines both({name, record}, {other_name, other}, zoom);
  if (!both.known())
    throw std::invalid_argument(
        "a record is too short to draw two runs in one picture: it has to have two batches");
  out << report::detail::with_style(both.text());
}

}  // namespace stretto
