// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <stretto/run/error.hpp>
#include <string>
#include <utility>
#include <vector>

namespace stretto {

/// What one of several runs took, of some rounds in which each of them ran: `measure_in_turn`.
struct measured_times {
  using seconds = std::chrono::duration<double>;
  seconds median{};
  seconds low{};   ///< a quarter of the rounds took no longer
  seconds high{};  ///< a quarter took at least as long

  /// Whether rounds differ by as much as the two do, so that nothing tells which is faster: the
  /// middle halves of their rounds overlap.
  bool alike(const measured_times& other) const { return low <= other.high && other.low <= high; }
};

/// The time from one result of a run to the next, in seconds: goes over \p results, the return
/// value of a pipeline's `run`, to their end. The first \p skipped do not count: as many as there
/// are batches in flight, and some more. Throws `usage_error` if fewer than two are left.
template <class Clock = std::chrono::steady_clock, class Results>
measured_times::seconds time_per_result(Results&& results, std::size_t skipped) {
  std::size_t count = 0;
  typename Clock::time_point first{};
  for (auto&& result : results) {
    static_cast<void>(result);
    if (count++ == skipped) first = Clock::now();
  }
  const typename Clock::time_point last = Clock::now();
  if (count < skipped + 2)
    throw usage_error("of " + std::to_string(count) + " results " + std::to_string(skipped) +
                      " do not count: the time from one to the next takes two more");
  return measured_times::seconds(last - first) / static_cast<double>(count - skipped - 1);
}

/// Measures several against each other: calls all of \p runs in each round, every other round in
/// the opposite order, so that what else a machine does meets all of them. Each returns what it
/// measured, such as `time_per_result` of a run of a pipeline. What the round before the first of
/// \p rounds returns, in which threads start, does not count. What came of each, in their order.
/// Throws `usage_error` if there are no rounds, and what runs throw.
inline std::vector<measured_times> measure_in_turn(
    std::size_t rounds, const std::vector<std::function<measured_times::seconds()>>& runs) {
  if (rounds == 0) throw usage_error("what is measured in turn takes one round at least");
  const std::size_t count = runs.size();
  std::vector<std::vector<measured_times::seconds>> took(count);
  for (std::size_t round = 0; round <= rounds; ++round)
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t which = round % 2 == 0 ? i : count - 1 - i;
      const measured_times::seconds time = runs[which]();
      if (round > 0) took[which].push_back(time);
    }
  std::vector<measured_times> all;
  for (std::vector<measured_times::seconds>& times : took) {
    std::sort(times.begin(), times.end());
    const std::size_t last = rounds - 1;
    const measured_times::seconds median = (times[last / 2] + times[rounds / 2]) / 2.0;
    all.push_back({median, times[last / 4], times[last - last / 4]});
  }
  return all;
}

}  // namespace stretto
