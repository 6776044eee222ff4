// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

/// Tasks that are coroutines. In the plan each is a thread group of its own, of which there is no
/// thread: another thread begins its calls, at their place in the plan's order, and goes on.
namespace stretto::planner {

struct begun_call {
  std::size_t node = 0;
  std::size_t by = 0;      ///< the thread that begins it
  std::size_t before = 0;  ///< the place in that thread's chain before which it does
};

/// What is known of a plan when it is asked who begins which call where.
struct beginning {
  view<std::size_t> order;     ///< the nodes of a progress
  view<std::size_t> chained;   ///< nodes by thread
  view<range> chains;          ///< by thread, into `chained`
  view<std::size_t> begun_by;  ///< by thread; empty: there are no coroutines
  std::size_t pull = 0;        ///< the node
};

/// By group, those of the threads that there are left out.
constexpr list<begun_call> begun_calls(const beginning& of) {
  list<begun_call> found;
  if (of.begun_by.empty()) return found;
  list<std::size_t> position(of.order.size(), 0);
  for (std::size_t i = 0; i < of.order.size(); ++i) position[of.order[i]] = i;
  for (std::size_t t = 0; t < of.chains.size(); ++t) {
    if (of.begun_by[t] == none) continue;
    begun_call b{of.chained[of.chains[t].first], of.begun_by[t], 0};
    const range chain = of.chains[b.by];
    // Whoever pulls does that first.
    if (of.chained[chain.first] == of.pull) b.before = 1;
    while (chain.first + b.before < chain.last &&
           position[of.chained[chain.first + b.before]] < position[b.node])
      ++b.before;
    found.push_back(b);
  }
  return found;
}

}  // namespace stretto::planner
