// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/values/concat.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/fingerprint.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/text/describe.hpp>
#include <stretto/plan/text/explain.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic {

/// A schedule and its plan, made by the code that makes plans of types. Keeps a copy of the
/// schedule, bodies and all. Nodes are task numbers in declaration order, then `pull`, then
/// `deliver`.
class planned_schedule {
 public:
  /// Throws `schedule_error` if anything is wrong with it.
  explicit planned_schedule(schedule s)
      : schedule_(std::make_unique<const schedule>(std::move(s))), declared_(*schedule_) {
    const diagnosis found = detail::examine(*schedule_, declaration(), plan_);
    if (!found.ok())
      throw schedule_error(schedule_->name, found.sentences(declaration()), found.size());
    for (const planner::node& n : plan_.resolved.nodes)
      lag_.push_back(planner::lag(plan_.resolved.max_lookahead, n.lookahead));
  }

  /// What was planned.
  const schedule& input() const { return *schedule_; }
  const planner::declaration& declaration() const { return declared_.value(); }
  /// Order, edges, copies, tickets, threads, waits between streams, waits with a barrier.
  const planner::plan& plan() const { return plan_; }
  /// By node: progresses between a batch's pull and the node's run.
  const std::vector<std::size_t>& lag() const { return lag_; }
  std::size_t in_flight() const { return plan_.in_flight(); }

  /// The number of a task, of "pull" or of "deliver". Throws `usage_error` if there is none such.
  std::size_t node(std::string_view task) const {
    const std::size_t nodes = plan_.order.size();
    for (std::size_t n = 0; n < nodes; ++n)
      if (name_of(n) == task) return n;
    throw usage_error(detail::joined("schedule `", schedule_->name, "` has no task `", task, "`"));
  }
  std::string_view name_of(std::size_t node) const {
    return planner::node_name(declaration(), node);
  }

  /// The fewest waits between threads that run ahead of each other.
  planner::list<planner::edge> run_ahead_waits() const { return planner::run_ahead_waits(plan_); }
  /// The fewest waits between streams that, with the streams' own order, keep every edge.
  planner::list<planner::edge> minimal_stream_waits() const {
    return planner::minimal_stream_waits(plan_);
  }

  /// The plan as text for a person: order, threads and their chains, every wait with the reason for
  /// it, memory.
  std::string describe() const { return planner::describe(schedule_->name, declaration(), plan_); }
  /// Why every run of \p before, \p delta progresses before a run of \p after, comes before it; or
  /// that nothing orders them.
  std::string explain(std::string_view before, std::string_view after, int delta = 0) const {
    return planner::explain(declaration(), plan_, node(before), node(after), delta);
  }
  /// Whether it does, whatever threads and streams do.
  bool ordered(std::string_view before, std::string_view after, int delta = 0) const {
    return planner::effect_order(plan_).ordered(node(before), node(after), delta);
  }
  /// A number for the plan, equal wherever the plan was made, of types or of values.
  std::uint64_t fingerprint() const { return planner::fingerprint(declaration(), plan_); }

 private:
  std::unique_ptr<const schedule> schedule_;
  declared declared_;
  planner::plan plan_;
  std::vector<std::size_t> lag_;
};

}  // namespace stretto::dynamic
