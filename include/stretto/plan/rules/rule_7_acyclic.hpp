// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/model/list.hpp>
#include <stretto/plan/rules/subject.hpp>

namespace stretto::planner::rules {

/// Rule 7: the order inside one progress is acyclic, in what the tasks declare and with the order
/// that the user gives. Reported once, at the first task of a cycle; `cycle` has the path.
constexpr void check_acyclic(const subject& s, findings& found) {
  const list<std::size_t> path = cycle(s.resolved, s.edges, s.order);
  if (path.empty()) return;
  const bool by_order = s.edges.back().why == reason::order;
  found.push_back(
      {by_order ? kind::order_cycle : kind::cycle, path.front(), path[path.size() > 1 ? 1 : 0]});
}

}  // namespace stretto::planner::rules
