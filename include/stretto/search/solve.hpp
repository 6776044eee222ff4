// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/problem.hpp>
#include <vector>

namespace stretto::search {

/// The best answer so far, and what is known of better ones.
struct solution {
  bool found = false;
  bool none = false;  ///< it is proved that there is no answer
  answer best{};
  planner::ratio period{};
  long long bytes = 0;
  planner::ratio least{};         ///< no period is shorter
  proof why{};                    ///< that it is not
  long long least_bytes = 0;      ///< no answer of this period takes fewer
  bool fewest_in_flight = false;  ///< none of this period and of as many bytes has fewer
  bool ended = false;             ///< by who was told of its progress
  long long steps = 0;

  bool optimal() const { return found && !(least < period); }
  /// By period, bytes, batches in flight.
  bool better_than(const solution& other) const {
    if (period < other.period || other.period < period) return period < other.period;
    if (bytes != other.bytes) return bytes < other.bytes;
    return best.in_flight < other.best.in_flight;
  }
};

/// How far to look. The same steps are taken on every machine, so the same answer is found.
struct effort {
  long long steps = 0;  ///< some 300 million take a second; 0: by the number of tasks
  /// Called with the best answer so far, whenever that, or what is known of better ones, changes.
  /// False ends the search.
  std::function<bool(const solution&)> progress{};
  std::vector<answer> known{};  ///< to start from; those that are none are left out
};

namespace detail {

/// Looks for the shortest period; at that for the fewest bytes; at those for the fewest batches in
/// flight.
STRETTO_INLINE solution find_best(const problem& p, const effort& e);

/// Of what takes as long, as many bytes and as many batches, what has more to spare, and fewer
/// hand-overs.
STRETTO_INLINE void refine(const problem& p, solution& found, const effort& e);

}  // namespace detail

/// Looks for the shortest period; at that for the fewest bytes; at those for the fewest batches in
/// flight; at all three for much to spare, and few hand-overs, of which nothing is proved.
STRETTO_INLINE solution solve(const problem& p, const effort& e = {});

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/solve.ipp>
#endif
