// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

// The time per progress of a plan whose threads run ahead of each other, and nothing else of what a
// `plan_bound` tells, so that a compiler is done with it soon.
namespace stretto::bound::shared {

/// What nodes wait for by the \p edges of a plan, and what they take, by node.
constexpr planner::timing waits_of(const planner::graph& g, planner::view<planner::edge> edges,
                                   const planner::list<long long>& times) {
  planner::list<planner::edge> all(edges);
  all.append(planner::delivery_edges(g));
  planner::timing waits = planner::make_timing(g, all);
  waits.weight = times;
  return waits;
}

/// Whether a progress takes \p period at most, which one look at each wait tells where start times
/// are found in the order in which nodes work.
constexpr bool keeps_to(planner::ratio period, const planner::timing& waits,
                        planner::view<std::size_t> order, planner::view<std::size_t> thread_of,
                        planner::view<std::size_t> workers) {
  planner::period_finder finder(waits);
  finder.share(workers);
  return !finder.exceeds(period, order, thread_of, workers.size());
}

}  // namespace stretto::bound::shared
