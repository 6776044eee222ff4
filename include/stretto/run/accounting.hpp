// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/run_state.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::runner {

namespace detail {

/// Failures of a run that turn up when its threads have left: of the device, of other ranks, of the
/// user's work on results.
inline constexpr std::size_t most_late_failures = 3;

}  // namespace detail

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
  std::size_t batches = 0;

  std::size_t tasks() const { return names.size() - 2; }

  std::size_t first_host(std::size_t thread) const {
    std::size_t hosts = 0;
    for (std::size_t t = 0; t < thread; ++t) hosts += workers[t];
    return hosts;
  }

  /// The first progress that a node has not run, of those that one of its host threads runs.
  std::size_t first_missing(std::size_t node, std::size_t host) const {
    const stopping_point& left = stopped[host];
    return left.progress + (place[node] < left.place ? workers[thread_of[node]] : 0);
  }

  /// How many batches a node has finished, without a gap, when all threads have left the run.
  std::size_t finished_by(std::size_t node) const {
    const std::size_t turns = workers[thread_of[node]];
    const std::size_t first = first_host(thread_of[node]);
    auto runs = static_cast<std::size_t>(-1);
    for (std::size_t k = 0; k < turns; ++k) {
      // The worker's first progress that asked something of the node: not one before its first
      // batch, nor a fellow's.
      const std::size_t next = (std::max)(first_missing(node, first + k), lag[node]);
      runs = (std::min)(runs, next + (k + turns - next % turns) % turns);
    }
    return (std::min)(runs - lag[node], batches);
  }

  bool has_finished(std::size_t node, std::size_t batch) const {
    const std::size_t thread = thread_of[node];
    const std::size_t progress = batch + lag[node];
    return batch < batches &&
           first_missing(node, first_host(thread) + progress % workers[thread]) > progress;
  }

  /// Whether a node may have touched what it writes for a batch: it has finished it, or failed.
  bool has_begun(std::size_t node, std::size_t batch) const {
    if (has_finished(node, batch)) return true;
    const std::size_t thread = thread_of[node];
    const stopping_point& left =
        stopped[first_host(thread) + (batch + lag[node]) % workers[thread]];
    return left.failure.node == node && left.progress == batch + lag[node];
  }

  /// Whether a slot that has \p copies copies, which \p filler fills first, holds the value of a
  /// batch.
  bool holds(std::size_t filler, std::size_t batch, std::size_t copies) const {
    return has_finished(filler, batch) && !has_begun(filler, batch + copies);
  }
};

/// By node: where it is in its chain. What `run_accounting::place` views.
constexpr void find_places(planner::view<std::size_t> chained, planner::view<planner::range> chains,
                           std::size_t* place) {
  for (const planner::range& chain : chains)
    for (std::size_t i = chain.first; i < chain.last; ++i) place[chained[i]] = i - chain.first;
}

namespace detail {

/// Makes a report ready for a run that \p threads host threads take part in: what fails in it will
/// not want memory to be told. (Not `cold`: to GCC, all that can only follow a cold call is cold,
/// too, and that would be the loop over the batches.)
[[gnu::noinline]] inline void restart(run_report& report, std::size_t threads) {
  report.failures.reserve(threads + most_late_failures);
  report.failures.clear();
  report.in_flight = std::vector<run_report::unfinished>();  // gives its memory back
  report.end = run_end::none;
  report.pulled = report.finished = report.delivered = 0;
  report.incomplete = false;
}

/// Puts a name into a report; where there is no memory for it, an empty one.
[[gnu::cold]] inline std::string name_in(run_report& report, std::string_view name) {
  try {
    return std::string(name);
  } catch (...) {
    report.incomplete = true;
    return {};
  }
}

/// Lists the batches in flight: all that were pulled, from the first that is not finished on.
[[gnu::cold]] inline void list_in_flight(run_report& report, const run_accounting& all) {
  // Vectors of a size that is known are what a compiler is quickest with.
  report.in_flight = std::vector<run_report::unfinished>(report.pulled - report.finished);
  for (std::size_t i = 0; i < report.in_flight.size(); ++i) {
    run_report::unfinished& left = report.in_flight[i];
    left.batch = report.finished + i;
    const auto ran = [&](std::size_t n) {
      return n < all.tasks() && all.has_finished(n, left.batch);
    };
    left.ran = std::vector<std::string>(
        static_cast<std::size_t>(std::count_if(all.order.begin(), all.order.end(), ran)));
    std::size_t next = 0;
    for (const std::size_t n : all.order)
      if (ran(n)) left.ran[next++] = all.names[n];
  }
}

/// How a run ended. \p stopped is what stopped it, unless a task failed; \p through is what it is
/// if, after all, nothing was left to stop.
struct ending {
  run_end stopped = run_end::none;
  run_end through = run_end::completed;
  std::size_t delivered = 0;  ///< results handed out
};

/// Writes down what became of a run's batches. Throws nothing.
[[gnu::noinline]] inline void tell(run_report& report, const run_accounting& all,
                                   const ending& how) noexcept {
  report.pulled = all.finished_by(all.tasks());
  report.finished = report.pulled;
  for (std::size_t n = 0; n < all.tasks(); ++n)
    report.finished = (std::min)(report.finished, all.finished_by(n));
  report.delivered = how.delivered;
  try {
    list_in_flight(report, all);
  } catch (...) {
    report.in_flight.clear();
    report.incomplete = true;
  }
  for (const stopping_point& left : all.stopped) {
    const std::size_t n = left.failure.node;
    if (n == planner::none) continue;
    // Before its first batch, if the value of a slot that it fills could not be made.
    const std::size_t batch = left.progress > all.lag[n] ? left.progress - all.lag[n] : 0;
    report.failures.push_back(
        {name_in(report, all.names[n]), batch, left.progress, left.failure.error});
  }
  // The first is the one that is thrown.
  planner::insertion_sort(report.failures,
                          [](const auto& a, const auto& b) { return a.progress < b.progress; });
  const bool nothing_left = report.finished == all.batches;
  const bool stopped_nothing =
      nothing_left && (how.stopped == run_end::cancelled ||
                       (how.stopped == run_end::left_early && how.delivered == report.finished));
  report.end = !report.failures.empty() ? run_end::failed
               : stopped_nothing        ? how.through
                                        : how.stopped;
}

}  // namespace detail

// Templates, so that only who has a device or collectives takes the time to compile them.

/// When all should be done, it turned out that something had gone wrong: an error that is nobody's
/// in particular. Its place is where the next batch would have been handed out.
template <class Report>
void fail_at_end(Report& report, std::exception_ptr error) noexcept {
  report.end = run_end::failed;
  report.failures.push_back({"deliver", report.finished, report.finished, std::move(error)});
}

namespace detail {

/// The device failed: of the batches that had not been handed out it is not known what became. A
/// task that failed of it has been named already.
template <class Report>
void discard(Report& report, std::size_t delivered, std::exception_ptr error) noexcept {
  if (report.finished > delivered) {
    try {
      std::vector<typename Report::unfinished> in_flight(report.finished - delivered);
      for (std::size_t i = 0; i < in_flight.size(); ++i) in_flight[i].batch = delivered + i;
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
