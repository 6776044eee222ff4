// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/first_failure.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/run/verdicts.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::runner {

/// Where each thread stopped, and the parts of the plan that turn this into batches finished and in
/// flight. Nodes are tasks, then `pull`, then `deliver`.
struct run_accounting {
  planner::view<std::string_view> names;  ///< by node
  planner::view<std::size_t> order;       ///< nodes of one progress
  planner::view<std::size_t> lag;         ///< by node
  planner::view<std::size_t> thread_of;   ///< by node
  planner::view<std::size_t> chained;     ///< nodes by thread
  planner::view<planner::range> chains;   ///< by thread, into \c chained
  planner::view<std::size_t> workers;     ///< by thread
  planner::view<stopping_point> stopped;  ///< by host thread: each thread's workers side by side
  planner::view<std::size_t> place;       ///< by node, in its chain
  planner::view<passed_over> passed;      ///< by node, for each of its workers
  std::size_t batches = 0;                ///< what the source had, as far as is known
  std::size_t first = 0;  ///< batches before it were through when threads were last set going
  planner::view<planner::rate> runs{};  ///< by node: for which batches it runs; empty: for all
  verdict_table verdicts{};             ///< of batches that were dropped

  std::size_t tasks() const { return names.size() - 2; }

  std::size_t first_host(std::size_t thread) const;
  /// The first progress that a node has not run, of those that one of its host threads runs.
  std::size_t first_missing(std::size_t node, std::size_t host) const;
  /// From which batch on whoever runs a node in a progress has passed over it.
  const passed_over& passed_by(std::size_t node, std::size_t progress) const;
  /// How many batches a node has finished, without a gap, when all threads have left the run.
  std::size_t finished_by(std::size_t node) const;
  bool has_finished(std::size_t node, std::size_t batch) const;
  /// Whether it has and, besides, was to run for that batch, which nobody before it has dropped.
  bool has_run(std::size_t node, std::size_t batch) const;
  /// Whether a node may have touched what it writes for a batch: it has finished it, or failed.
  bool has_begun(std::size_t node, std::size_t batch) const;
  /// Whether a node has run at the end of the stream for what is left of a group; if there is such
  /// a group.
  bool has_ended_group(std::size_t node) const;
  bool has_group_to_end(std::size_t node) const;
  /// Whether all have that were to.
  bool has_ended_groups() const;
  /// Whether a slot that has \p copies copies, which \p filler fills first, holds the value of a
  /// batch.
  bool holds(std::size_t filler, std::size_t batch, std::size_t copies) const;
};

/// By node: where it is in its chain. What `run_accounting::place` views.
constexpr void find_places(planner::view<std::size_t> chained, planner::view<planner::range> chains,
                           std::size_t* place) {
  for (const planner::range& chain : chains)
    for (std::size_t i = chain.first; i < chain.last; ++i) place[chained[i]] = i - chain.first;
}

namespace detail {

/// How a run ended. \p stopped is what stopped it, unless a task failed; \p through is what it is
/// if, after all, nothing was left to stop. \p ahead: if a task failed, that was on a batch behind
/// those that were handed out, and nobody has been told.
struct ending {
  run_end stopped = run_end::none;
  run_end through = run_end::completed;
  std::size_t delivered = 0;  ///< the first batch that did not get through, with a result or not
  std::size_t dropped = 0;    ///< batches of the run that got through without one
  std::size_t first = 0;      ///< the run's first batch
  bool ahead = false;
};

/// What became of a run's batches, in numbers.
struct run_numbers {
  run_end end = run_end::none;
  std::size_t first = 0;  ///< the run's first batch; the other numbers count from there
  std::size_t pulled = 0;
  std::size_t finished = 0;
  std::size_t delivered = 0;
  std::size_t dropped = 0;

  /// As of a report.
  bool holds(std::size_t batch) const {
    return first + delivered + dropped <= batch && batch < first + pulled;
  }
  /// Whether every batch that was pulled got through.
  bool all_through() const { return delivered + dropped == pulled; }
};

[[gnu::cold]] STRETTO_INLINE run_numbers numbers_of(const run_accounting& all, const ending& how);

/// The first failure of a run, of those that threads had; null if none did.
[[gnu::cold]] STRETTO_INLINE const stopping_point* first_failure(const run_accounting& all);
/// Throws it, nested in an error that names the task.
[[noreturn, gnu::cold]] STRETTO_INLINE void throw_first_failure(const run_accounting& all);
/// The batch that a thread failed on.
[[gnu::cold]] STRETTO_INLINE std::size_t failed_batch(const run_accounting& all,
                                                      const stopping_point& failed);

}  // namespace detail

// Templates, so that only who has a device or collectives takes the time to compile them.

/// When all should be done, it turned out that something had gone wrong: an error that is nobody's
/// in particular. Its place is where the next batch would have been handed out.
template <class Report>
void fail_at_end(Report& report, std::exception_ptr error) noexcept {
  report.end = run_end::failed;
  const std::size_t next = report.first + report.finished;
  report.failures.push_back({"deliver", next, next, std::move(error)});
}

namespace detail {

/// The device failed: of the batches that had not been handed out it is not known what became. A
/// task that failed of it has been named already.
template <class Report>
void discard(Report& report, std::size_t delivered, std::exception_ptr error) noexcept {
  if (report.finished > delivered) {
    try {
      std::vector<typename Report::unfinished> in_flight(report.finished - delivered);
      for (std::size_t i = 0; i < in_flight.size(); ++i)
        in_flight[i].batch = report.first + delivered + i;
      in_flight.insert(in_flight.end(), report.in_flight.begin(), report.in_flight.end());
      report.in_flight = std::move(in_flight);
    } catch (...) {
      report.in_flight.clear();
      report.incomplete = true;
    }
    report.finished = delivered;
  }
  if (report.failures.empty()) fail_at_end(report, std::move(error));
}

}  // namespace detail
}  // namespace stretto::runner

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/accounting.ipp>
#endif
