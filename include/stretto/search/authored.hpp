// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/run/error.hpp>
#include <stretto/search/batch_graph.hpp>
#include <stretto/search/problem.hpp>
#include <string>
#include <vector>

namespace stretto::search {

/// What the author of a problem has said of it, from which the original engine's tools start.
struct authored {
  std::vector<int> lookahead{};  ///< by task, cut to what may be; empty: by depth in a batch
  /// A task waits its turn on its first resource, which is its stream, also if a host thread runs
  /// it; false: on that thread.
  bool by_stream = true;
};

namespace detail {

/// The longest path of a batch is divided into as many equal parts as batches may be in flight: a
/// task works ahead by the parts between its start on that path and the end.
inline std::vector<int> lookaheads_by_depth(const problem& p, const batch_graph& g) {
  std::vector<int> ahead;
  for (number t = 0; t < p.tasks.size(); ++t)
    ahead.push_back(g.longest == 0
                        ? 0
                        : p.in_flight - 1 - static_cast<int>(p.in_flight * g.head[t] / g.longest));
  return ahead;
}

/// Lookaheads from which to start: none outside of its bounds, and no task further ahead than what
/// it waits for, unless it has to be. Throws `usage_error` if they are not of the problem's tasks.
inline std::vector<int> starting_lookaheads(const problem& p, const batch_graph& g,
                                            const authored& by) {
  if (!by.lookahead.empty() && by.lookahead.size() != p.tasks.size())
    throw usage_error("there are lookaheads of " + std::to_string(by.lookahead.size()) +
                      " tasks, but " + std::to_string(p.tasks.size()) + " tasks");
  std::vector<int> ahead = by.lookahead.empty() ? lookaheads_by_depth(p, g) : by.lookahead;
  for (number t = 0; t < p.tasks.size(); ++t)
    ahead[t] = (std::max)(p.tasks[t].least, (std::min)(ahead[t], p.most_ahead(t)));
  for (bool cut = true; cut;) {
    cut = false;
    for (const problem::arc& a : g.arcs) {
      const int most = (std::max)(ahead[a.from] + a.ago, p.tasks[a.to].least);
      if (ahead[a.to] <= most) continue;
      ahead[a.to] = most;
      cut = true;
    }
  }
  return ahead;
}

}  // namespace detail

}  // namespace stretto::search
