// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/search/problem.hpp>
#include <vector>

namespace stretto::search {

/// Why no schedule of a problem has a shorter period.
struct proof {
  enum class why {
    none,      ///< nothing is known
    task,      ///< a task, or the source, by itself
    thread,    ///< what is pinned to a thread
    resource,  ///< what holds a resource
    threads,   ///< all that host threads run, divided among them
    streams,   ///< all that is on the streams that are offered, divided among them
    crowd,     ///< of more tasks than there are host threads one has several, which take that long
    cycle,     ///< tasks that wait for each other, over batches
    search     ///< each way to order tasks leads to a cycle or load of as much
  };
  why reason = why::none;
  std::vector<number> nodes{};  ///< a task, those on a thread or resource, a crowd, or a cycle
  number which = no_number;     ///< a thread or a resource
  number share = 0;             ///< as many of a crowd are on one thread, at least
};

/// What no schedule's period is less than, whatever its lookaheads, threads and order.
struct least_period {
  planner::ratio period{0, 1};
  proof why{};
};

/// The greatest of what tasks, threads and resources take, and of the cycles that a problem asks
/// for by itself.
STRETTO_INLINE least_period find_least_period(const problem& p);

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/least_period.ipp>
#endif
