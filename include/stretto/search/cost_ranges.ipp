// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/bound/bound_of.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/bound/plan_bound.hpp>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/cost_ranges.hpp>
#include <stretto/search/find_schedule.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <string>
#include <vector>

namespace stretto::search {

namespace detail {

/// How much longer a progress takes by the bound for each unit that a task takes longer.
inline planner::ratio slope_of_bound(const found_schedule& f, const plan_bound& bound,
                                     const std::string& task) {
  if (std::find(f.because.begin(), f.because.end(), task) == f.because.end()) return {0, 1};
  long long all = 0;
  for (const std::string& one : f.because)
    if (one != planner::deliver_name) all += bound.time_of(one);  // which takes none
  switch (f.reason) {
    case proof::why::task:
    case proof::why::thread:
    case proof::why::resource: return {1, 1};
    case proof::why::cycle:
    case proof::why::threads:
    case proof::why::streams: return {f.period.time, f.period.progresses * all};
    default: return {0, 1};
  }
}

inline cost_range range_of(const found_schedule& f, const plan_bound& bound,
                           const std::string& task) {
  cost_range range{task, bound.time_of(task), 0, 0};
  range.least = range.cost;
  // A longer task makes no schedule faster: this one is the best for as long as it is as fast.
  const planner::ratio spare = bound.spare(task);
  const long long as_fast = range.cost + spare.time / spare.progresses;
  range.most = as_fast;
  const bool one_of_several = f.reason == proof::why::search || f.reason == proof::why::crowd;
  if (one_of_several) return range;
  // Elsewhere for as long as the bound and the time of this schedule are one line: a convex
  // function that is nowhere below a line meets it in one piece.
  const planner::ratio slope = slope_of_bound(f, bound, task);
  const auto pieces = bound.curve(task);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const curve_piece& piece = pieces[i];
    const bool last = i + 1 == pieces.size();
    const planner::ratio cost{range.cost, 1};
    if (!(piece.slope == slope) || cost < piece.from || (!last && pieces[i + 1].from < cost))
      continue;
    range.least = (piece.from.time + piece.from.progresses - 1) / piece.from.progresses;
    if (last) {
      range.most.reset();
    } else {
      const planner::ratio& end = pieces[i + 1].from;
      range.most = (std::max)(as_fast, end.time / end.progresses);
    }
  }
  return range;
}

}  // namespace detail

STRETTO_INLINE std::vector<cost_range> cost_ranges(const found_schedule& found,
                                                   planner::view<task_cost> costs) {
  detail::refuse_device(found.on_device, "`cost_ranges`");
  std::vector<cost_range> all;
  if (!found.optimal() || found.period.time == 0) return all;
  const dynamic::planned_schedule planned(found.schedule);
  const plan_bound bound = bound_of(planned, costs);
  for (const dynamic::task& t : found.schedule.tasks) {
    all.push_back(detail::range_of(found, bound, t.name));
    for (const task_cost& c : costs) {
      if (c.task != t.name) continue;
      all.back().measured_least = c.least;
      all.back().measured_most = c.most;
    }
  }
  return all;
}

STRETTO_INLINE std::string to_text(const std::vector<cost_range>& ranges) {
  planner::text_builder out;
  for (const cost_range& r : ranges) {
    out.quoted(r.task).add(" takes ").number(r.cost);
    if (r.measured_most != 0)
      out.add(", mostly ").number(r.measured_least).add(" to ").number(r.measured_most);
    out.add(": the plan stays the best ");
    if (r.most && *r.most == r.least) {
      out.add("only for that, as far as is proved");
    } else {
      out.add("from ").number(r.least);
      if (r.most) out.add(" to ").number(*r.most);
      if (!r.most) out.add(" on");
    }
    out.add(r.holds_as_measured() ? "\n" : "; not for all that it took\n");
  }
  return out.text();
}

}  // namespace stretto::search
