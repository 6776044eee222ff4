// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <stretto/search/batch_graph.hpp>
#include <stretto/search/fire_order.hpp>
#include <stretto/search/model.hpp>
#include <stretto/search/problem.hpp>
#include <vector>

namespace stretto::search::detail {

/// Lookaheads of the tasks of a problem, or two of which the first cannot be as far ahead as the
/// second asks for.
struct assigned {
  std::vector<int> lookahead{};  ///< by task
  number producer = no_number;
  number consumer = no_number;

  bool ok() const { return producer == no_number; }
};

/// The lookaheads of `assign_lookaheads`, from those to \p start with. What a task waits for is at
/// least as far ahead; nobody who waits for an earlier batch moves.
inline assigned assign(const problem& p, const batch_graph& g, const queues& q,
                       const std::vector<int>& start) {
  assigned made{start};
  std::vector<int>& ahead = made.lookahead;
  const std::vector<char> kept = q.with_what_follows(p, g);
  std::vector<int> most(p.tasks.size());
  int nearest = p.in_flight;
  for (number t = 0; t < p.tasks.size(); ++t) {
    most[t] = p.most_ahead(t);
    if (q.is_main(t)) nearest = (std::min)(nearest, start[t]);
  }
  long long window = 0;
  for (number t = 0; t < p.tasks.size(); ++t)
    if (q.is_main(t) && start[t] == nearest) window += p.tasks[t].weight;
  for (const problem::arc& a : g.arcs)
    if (a.ago > 0) most[a.to] = (std::min)(most[a.to], start[a.to]);

  const auto windows = [&](long long time) {
    return window == 0
               ? 1
               : static_cast<int>((std::min<long long>)(divided_up(time, window), p.in_flight));
  };
  for (number t = 0; t < p.tasks.size(); ++t) {
    if (kept[t] != 0) continue;
    int need = (std::max)(1, windows(p.tasks[t].weight));
    for (const number r : p.tasks[t].on)
      if (q.shared[r] != 0) need = (std::max)(need, windows(q.busy[p.threads + r]));
    for (const number b : g.before[t]) need = (std::max)(need, ahead[b]);
    ahead[t] = (std::max)(start[t], (std::min)(need, most[t]));
  }
  for (bool raised = true; raised;) {
    raised = false;
    for (number t = 0; t < p.tasks.size(); ++t)
      for (const number b : g.before[t]) {
        if (ahead[b] >= ahead[t]) continue;
        if (kept[b] != 0 || most[b] < ahead[t]) {
          made.producer = b;
          made.consumer = t;
          return made;
        }
        ahead[b] = ahead[t];
        raised = true;
      }
  }
  return made;
}

}  // namespace stretto::search::detail
