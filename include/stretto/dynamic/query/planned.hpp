// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/query/declared.hpp>
#include <stretto/dynamic/query/diagnose.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto::dynamic {

/// A schedule and its plan, made by the code that makes plans of types. Keeps a copy of the
/// schedule, bodies and all. Nodes are task numbers in declaration order, then `pull`, then
/// `deliver`.
class planned_schedule {
 public:
  /// Throws `schedule_error` if anything is wrong with it.
  explicit planned_schedule(schedule s);

  /// What was planned.
  const schedule& input() const { return kept_.front(); }
  const planner::declaration& declaration() const { return declared_.value(); }
  /// Order, edges, copies, tickets, threads, waits between streams, waits with a barrier.
  const planner::plan& plan() const { return plan_; }
  /// Of a projection: the schedule of all ranks, planned; else null.
  const planned_schedule* whole() const { return whole_.empty() ? nullptr : &whole_.front(); }
  /// By node: progresses between a batch's pull and the node's run.
  const std::vector<std::size_t>& lag() const { return lag_; }
  std::size_t in_flight() const { return plan_.in_flight(); }

  /// The number of a task, of "pull" or of "deliver". Throws `usage_error` if there is none such.
  std::size_t node(std::string_view task) const;
  std::string_view name_of(std::size_t node) const;

  /// The fewest waits between threads that run ahead of each other.
  planner::list<planner::edge> run_ahead_waits() const;
  /// The fewest waits between streams that, with the streams' own order, keep every edge.
  planner::list<planner::edge> minimal_stream_waits() const;

  /// The plan as text for a person: order, threads and their chains, every wait with the reason for
  /// it, memory.
  std::string describe() const;
  /// Why every run of \p before, \p delta progresses before a run of \p after, comes before it; or
  /// that nothing orders them.
  std::string explain(std::string_view before, std::string_view after, int delta = 0) const;
  /// Whether it does, whatever threads and streams do.
  bool ordered(std::string_view before, std::string_view after, int delta = 0) const;
  /// A number for the plan, equal wherever the plan was made, of types or of values.
  std::uint64_t fingerprint() const;

 private:
  // One, which stays where it is when a planned schedule is moved: its declaration refers to it.
  std::vector<schedule> kept_;
  std::vector<planned_schedule> whole_;
  declared declared_;
  planner::plan plan_;
  std::vector<std::size_t> lag_;
};

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/query/planned.ipp>
#endif
