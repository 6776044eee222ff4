// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/dynamic/query/planned.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/layout/overlap.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/rules/pipelined_choice.hpp>
#include <stretto/plan/text/describe.hpp>
#include <stretto/plan/text/exceeded_bounds.hpp>
#include <stretto/plan/text/explain.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic {

namespace detail {

inline std::vector<schedule> vector_of_one(schedule&& s) {
  std::vector<schedule> one;
  one.push_back(std::move(s));
  return one;
}

}  // namespace detail

STRETTO_INLINE planned_schedule::planned_schedule(schedule s)
    : kept_(detail::vector_of_one(std::move(s))), declared_(kept_.front()) {
  const diagnosis found = detail::examine(input(), declaration(), plan_);
  if (!found.ok()) throw schedule_error(input().name, found.sentences(declaration()), found.size());
  for (const planner::node& n : plan_.resolved.nodes)
    lag_.push_back(planner::lag(plan_.resolved.max_lookahead, n.lookahead));
  for (const schedule& all : input().whole) whole_.emplace_back(all);
}

STRETTO_INLINE std::size_t planned_schedule::node(std::string_view task) const {
  const std::size_t nodes = plan_.order.size();
  for (std::size_t n = 0; n < nodes; ++n)
    if (name_of(n) == task) return n;
  throw usage_error(detail::joined("schedule `", input().name, "` has no task `", task, "`"));
}
STRETTO_INLINE std::string_view planned_schedule::name_of(std::size_t node) const {
  return planner::node_name(declaration(), node);
}

STRETTO_INLINE planner::list<planner::edge> planned_schedule::run_ahead_waits() const {
  return planner::run_ahead_waits(plan_);
}
STRETTO_INLINE planner::list<planner::edge> planned_schedule::minimal_stream_waits() const {
  return planner::minimal_stream_waits(plan_);
}

STRETTO_INLINE std::string planned_schedule::describe() const {
  const planner::declaration& d = declaration();
  planner::told_overlap told;
  planner::pipelined_choice other;
  if (d.tasks.size() <= planner::most_told_tasks) {
    const planner::overlap found =
        planner::find_overlap(d, plan_.resolved, plan_.order, plan_.edges, plan_.threads.thread_of);
    const planner::overlap_told what = planner::told_of(d, found);
    if (what != planner::overlap_told::nothing) {
      told.tracks = found.tracks;
      told.threads = found.threads;
    }
    if (what == planner::overlap_told::what_would_help) {
      other = planner::choose_pipelined(d);
      if (planner::overlap_of(planner::with_choice(d, other)).some) told.raised = other.raised;
    }
  }
  if (planner::may_be_held(d)) {
    other = planner::choose_pipelined(planner::without_bounds(planner::without_raised(d)));
    told.unbounded = other.raised;
    told.held = planner::held_by(d, other.raised);
  }
  return planner::describe(input().name, d, plan_, {}, told);
}
STRETTO_INLINE std::string planned_schedule::explain(std::string_view before,
                                                     std::string_view after, int delta) const {
  return planner::explain(declaration(), plan_, node(before), node(after), delta);
}
STRETTO_INLINE bool planned_schedule::ordered(std::string_view before, std::string_view after,
                                              int delta) const {
  return planner::effect_order(plan_).ordered(node(before), node(after), delta);
}
STRETTO_INLINE std::uint64_t planned_schedule::fingerprint() const {
  return planner::fingerprint(declaration(), plan_);
}

}  // namespace stretto::dynamic
