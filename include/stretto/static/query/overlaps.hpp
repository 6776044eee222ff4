// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/layout/overlap.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/rules/pipelined_choice.hpp>
#include <stretto/plan/text/describe.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/pipelined_lookaheads.hpp>

namespace stretto {

namespace typed::detail {

template <class Schedule>
inline constexpr planner::overlap overlap_as = [] {
  constexpr const auto& p = plan_of<Schedule>;
  const planner::graph g = planner::planned_graph(declared<Schedule>::value);
  return planner::find_overlap(declared<Schedule>::value, g, p.order, p.edges, p.thread_of);
}();

/// A declaration that is not pipelined as it would be if it were.
template <class Declared>
struct if_pipelined {
  static constexpr planner::declaration bare = [] {
    planner::declaration d = Declared::bare;
    d.pipelined = true;
    return d;
  }();
  using lookaheads = pipelined_lookaheads<if_pipelined, true>;
  static constexpr bool helps = [] {
    planner::declaration d = bare;
    d.raised = lookaheads::raised;
    d.layout = lookaheads::layout;
    return planner::overlap_of(d).some;
  }();
};

/// A declaration that is pipelined as it would be without bounds.
template <class Declared>
struct if_unbounded {
  static constexpr planner::declaration bare = planner::without_bounds(Declared::bare);
  static constexpr planner::view<int> raised = pipelined_lookaheads<if_unbounded>::raised;
  static constexpr planner::exceeded_bounds held = planner::held_by(Declared::bare, raised);
};

template <class Schedule>
consteval planner::overlap_told told() {
  if constexpr (declared<Schedule>::tasks::size > planner::most_told_tasks)
    return planner::overlap_told::nothing;
  else
    return planner::told_of(declared<Schedule>::bare, overlap_as<Schedule>);
}

/// What is told of overlapping tasks.
template <class Schedule>
constexpr planner::told_overlap told_overlap_of() {
  using from = declared<Schedule>;
  planner::told_overlap result;
  if constexpr (told<Schedule>() != planner::overlap_told::nothing) {
    constexpr planner::overlap found = overlap_as<Schedule>;
    result.tracks = found.tracks;
    result.threads = found.threads;
  }
  if constexpr (told<Schedule>() == planner::overlap_told::what_would_help) {
    using then = if_pipelined<from>;
    if (then::helps) result.raised = then::lookaheads::raised;
  }
  if constexpr (planner::may_be_held(from::bare)) {
    result.unbounded = if_unbounded<from>::raised;
    result.held = if_unbounded<from>::held;
  }
  return result;
}

}  // namespace typed::detail

/// Whether any two tasks of a schedule can work at the same time: not if each batch passes one
/// thread after the other before the next begins. `static_assert(stretto::overlaps<training>)` says
/// so at compile time. An invalid schedule is an error.
template <class Schedule>
inline constexpr bool overlaps = typed::detail::overlap_as<Schedule>.some;

}  // namespace stretto
