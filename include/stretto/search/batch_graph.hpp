// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/search/model.hpp>
#include <stretto/search/problem.hpp>
#include <vector>

namespace stretto::search::detail {

/// What waits for what among the tasks of a problem, and how long the paths of one batch are.
struct batch_graph {
  std::vector<problem::arc> arcs{};           ///< between tasks, of slots and of arcs
  std::vector<std::vector<number>> before{};  ///< by task: those of its own batch
  std::vector<long long> head{};              ///< by task: the longest path up to it
  std::vector<long long> tail{};              ///< by task: the longest path from it, with it
  long long longest = 0;                      ///< of all paths

  explicit batch_graph(const problem& p)
      : before(p.tasks.size()), head(p.tasks.size(), 0), tail(p.tasks.size(), 0) {
    const auto add = [&](number from, number to, int ago) {
      if (from >= p.tasks.size() || to >= p.tasks.size()) return;
      arcs.push_back({from, to, ago});
      if (ago == 0) before[to].push_back(from);
    };
    for (const problem::slot& s : p.slot_list)
      for (const auto& r : s.readers) add(s.writer, r.node, r.ago);
    for (const problem::arc& a : p.arcs) add(a.from, a.to, a.ago);
    const std::vector<number> order = order_of_a_batch(p);
    for (const number t : order)
      for (const number b : before[t]) head[t] = (std::max)(head[t], head[b] + p.tasks[b].weight);
    for (std::size_t i = order.size(); i-- > 0;) {
      const number t = order[i];
      tail[t] += p.tasks[t].weight;
      longest = (std::max)(longest, head[t] + tail[t]);
      for (const number b : before[t]) tail[b] = (std::max)(tail[b], tail[t]);
    }
  }
};

}  // namespace stretto::search::detail
