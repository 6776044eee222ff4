// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/list.hpp>

namespace stretto::bound::shared {

/// The nodes of a cycle as they work, from the one on that comes first in \p order. \p backward has
/// them against the direction of their waits, as `period_finder` does.
constexpr planner::list<std::size_t> in_order_of_work(const planner::list<std::size_t>& backward,
                                                      const planner::list<std::size_t>& order) {
  planner::list<std::size_t> place(order.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::size_t first = 0;
  for (std::size_t i = 0; i < backward.size(); ++i)
    if (place[backward[i]] < place[backward[first]]) first = i;
  planner::list<std::size_t> nodes;
  for (std::size_t i = 0; i < backward.size(); ++i)
    nodes.push_back(backward[(first + backward.size() - i) % backward.size()]);
  return nodes;
}

}  // namespace stretto::bound::shared
