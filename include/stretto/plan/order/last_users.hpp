// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/order/happens_before.hpp>

namespace stretto::planner {

/// By slot: the task after whose effect nobody uses what the slot held for that batch, because the
/// effects of all others that use it come before. None where there is no such task (several end in
/// no order, or it does not run for every batch), or where the slot is read of earlier batches or
/// not written for every one. \p g: who uses what, which not every plan knows.
constexpr list<std::size_t> last_users(const plan& p, const graph& g) {
  const happens_before order = effect_order(p);
  const auto comes_before = [&, &p = p](std::size_t user, std::size_t last) {
    const int delta = p.resolved.nodes[user].lookahead - p.resolved.nodes[last].lookahead;
    return user == last || (delta >= 0 && order.ordered(user, last, delta));
  };
  list<std::size_t> found(g.slot_list.size(), none);
  for (std::size_t slot = 0; slot < found.size(); ++slot) {
    list<std::size_t> users;
    bool of_earlier = g.rate_of_slot(slot).every > 1;
    for (std::size_t i = g.writers_of[slot].first; i < g.writers_of[slot].last; ++i)
      users.push_back(g.writers[i].node);
    for (std::size_t i = g.readers_of[slot].first; i < g.readers_of[slot].last; ++i) {
      users.push_back(g.readers[i].node);
      of_earlier = of_earlier || g.readers[i].ago > 0 || g.readers[i].span > 0;
    }
    if (of_earlier) continue;
    for (const std::size_t last : users) {
      bool all = last < g.tasks && g.nodes[last].runs.every == 1;
      for (const std::size_t user : users) all = all && comes_before(user, last);
      if (all) found[slot] = last;
    }
  }
  return found;
}

}  // namespace stretto::planner
