// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::bound::detail {

/// What nodes wait for, with what their threads do besides: each runs its chain in \p order, one
/// progress after the other, or every N-th where there are workers. If threads meet after each
/// progress, that is a node more, behind all others.
constexpr planner::timing thread_arcs(const planner::timing& waits,
                                      planner::view<std::size_t> order,
                                      planner::view<std::size_t> thread_of,
                                      planner::view<std::size_t> workers, bool meet) {
  const std::size_t nodes = order.size();
  const std::size_t threads = workers.size();
  planner::thread_turns turns(nodes);
  turns.take(order, thread_of, threads, workers);
  planner::timing all;
  all.weight = waits.weight;
  for (std::size_t n = 0; n < nodes; ++n) {
    const planner::range own = waits.into[n];
    const std::size_t first = all.arcs.size();
    all.arcs.append({waits.arcs.data() + own.first, own.last - own.first});
    all.arcs.push_back(turns.before()[n]);
    if (meet && turns.firsts()[thread_of[n]] == n) all.arcs.push_back({nodes, 1});
    all.into.push_back({first, all.arcs.size()});
  }
  if (!meet) return all;
  all.weight.push_back(0);
  const std::size_t first = all.arcs.size();
  for (const std::size_t last : turns.lasts())
    if (last != planner::none) all.arcs.push_back({last, 0});
  all.into.push_back({first, all.arcs.size()});
  return all;
}

/// The order of the nodes, with that at which threads meet.
constexpr planner::list<std::size_t> order_with_meeting(planner::view<std::size_t> order,
                                                        bool meet) {
  planner::list<std::size_t> all(order);
  if (meet) all.push_back(order.size());
  return all;
}

}  // namespace stretto::bound::detail
