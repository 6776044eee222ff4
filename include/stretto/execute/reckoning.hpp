// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stretto/execute/report.hpp>
#include <stretto/execute/run_state.hpp>
#include <stretto/plan/graph.hpp>
#include <stretto/plan/list.hpp>
#include <stretto/plan/view.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::detail {

/// Where everybody stood when a run had stopped, and what is needed of the plan to tell what that
/// means for the batches. Nodes are tasks, then `pull`, then `deliver`.
struct reckoning {
  plan::view<std::string_view> names;  ///< by node
  plan::view<std::size_t> order;       ///< nodes of one progress
  plan::view<std::size_t> lag;         ///< by node
  plan::view<std::size_t> thread_of;   ///< by node
  plan::view<std::size_t> chained;     ///< nodes by thread
  plan::view<plan::range> chains;      ///< by thread, into \c chained
  plan::view<std::size_t> workers;     ///< by thread
  plan::view<stopping_point> stopped;  ///< by host thread: each thread's workers side by side
  std::size_t batches = 0;

  plan::list<std::size_t> place = places();  ///< by node, in its chain

  std::size_t tasks() const { return names.size() - 2; }

  std::size_t first_host(std::size_t thread) const {
    std::size_t hosts = 0;
    for (std::size_t t = 0; t < thread; ++t) hosts += workers[t];
    return hosts;
  }

  /// The first progress that a node has not run, of those that one of its host threads runs.
  std::size_t first_left_out(std::size_t node, std::size_t host) const {
    const stopping_point& left = stopped[host];
    return left.progress + (place[node] < left.place ? workers[thread_of[node]] : 0);
  }

  /// How many batches a node has finished, without a gap, when all threads have left the run.
  std::size_t finished_by(std::size_t node) const {
    const std::size_t thread = thread_of[node];
    const std::size_t first = first_host(thread);
    std::size_t runs = first_left_out(node, first);
    for (std::size_t k = 1; k < workers[thread]; ++k)
      runs = std::min(runs, first_left_out(node, first + k));
    return std::min(runs > lag[node] ? runs - lag[node] : 0, batches);
  }

  bool has_finished(std::size_t node, std::size_t batch) const {
    const std::size_t thread = thread_of[node];
    const std::size_t progress = batch + lag[node];
    return first_left_out(node, first_host(thread) + progress % workers[thread]) > progress;
  }

  plan::list<std::size_t> places() const {
    plan::list<std::size_t> found(chained.size(), 0);
    for (const plan::range& chain : chains)
      for (std::size_t i = chain.first; i < chain.last; ++i) found[chained[i]] = i - chain.first;
    return found;
  }
};

/// What became of a run's batches. \p end is how it ended unless a task failed.
inline run_report report_of(const reckoning& all, run_end end) {
  run_report report;
  report.pulled = all.finished_by(all.tasks());
  report.finished = report.pulled;
  for (std::size_t n = 0; n < all.tasks(); ++n)
    report.finished = std::min(report.finished, all.finished_by(n));
  report.in_flight = std::vector<run_report::unfinished>(report.pulled - report.finished);
  for (std::size_t i = 0; i < report.in_flight.size(); ++i) {
    run_report::unfinished& left = report.in_flight[i];
    left.batch = report.finished + i;
    const auto ran = [&](std::size_t n) {
      return n < all.tasks() && all.has_finished(n, left.batch);
    };
    left.ran = std::vector<std::string_view>(
        static_cast<std::size_t>(std::count_if(all.order.begin(), all.order.end(), ran)));
    std::size_t next = 0;
    for (const std::size_t n : all.order)
      if (ran(n)) left.ran[next++] = all.names[n];
  }
  const auto threw = [](const stopping_point& left) { return left.failure.node != plan::none; };
  report.failures = std::vector<run_report::failure>(
      static_cast<std::size_t>(std::count_if(all.stopped.begin(), all.stopped.end(), threw)));
  std::size_t next_failure = 0;
  for (const stopping_point& left : all.stopped) {
    if (!threw(left)) continue;
    const std::size_t n = left.failure.node;
    // Before its first batch, if the value of a slot that it fills could not be made.
    const std::size_t batch = left.progress > all.lag[n] ? left.progress - all.lag[n] : 0;
    report.failures[next_failure++] = {all.names[n], batch, left.progress, left.failure.error};
  }
  // The first is the one that is thrown.
  plan::insertion_sort(report.failures,
                       [](const auto& a, const auto& b) { return a.progress < b.progress; });
  // Whoever asks for a stop when all is done has stopped nothing.
  const bool nothing_left = report.finished == all.batches;
  report.end = !report.failures.empty()                    ? run_end::failed
               : end == run_end::abandoned && nothing_left ? run_end::completed
                                                           : end;
  return report;
}

// Templates, so that only who has a device or collectives takes the time to compile them.

/// When all should be done, it turned out that something had gone wrong: an error that is nobody's
/// in particular. Its place is where the next batch would have been handed out.
template <class Report>
void fail_at_end(Report& report, std::exception_ptr error) {
  report.end = run_end::failed;
  typename Report::failure at_end{"deliver", report.finished, report.finished, std::move(error)};
  report.failures.push_back(std::move(at_end));
}

/// The device failed: of the batches that had not been handed out it is not known what became. A
/// task that failed of it has been named already.
template <class Report>
void lose(Report& report, std::size_t delivered, std::exception_ptr error) {
  if (report.finished > delivered) {
    std::vector<typename Report::unfinished> in_flight(report.finished - delivered);
    for (std::size_t i = 0; i < in_flight.size(); ++i) in_flight[i].batch = delivered + i;
    in_flight.insert(in_flight.end(), report.in_flight.begin(), report.in_flight.end());
    report.in_flight = std::move(in_flight);
    report.finished = delivered;
  }
  if (report.failures.empty()) fail_at_end(report, std::move(error));
}

}  // namespace stretto::detail
