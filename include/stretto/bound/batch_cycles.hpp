// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/bound/order_of_work.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>

namespace stretto::bound::shared {

/// What nodes wait for by batch, which no lookahead, thread or order changes. A node that waits for
/// itself N batches ago keeps every schedule from taking less than an N-th of that cycle's time.
class batch_cycles {
 public:
  explicit constexpr batch_cycles(planner::list<long long> times)
      : times_(static_cast<planner::list<long long>&&>(times)) {}

  /// Node \p to waits on a batch for what \p from has done for the batch \p ago before, at least 0.
  constexpr void wait(std::size_t from, std::size_t to, long long ago) {
    waits_.push_back({from, to, ago});
  }

  /// The greatest ratio of a cycle's time to its batches, if it is more than \p least, and that
  /// cycle, in the order in which its nodes work on a batch; else \p least and no node.
  struct greatest {
    planner::ratio period;
    planner::list<std::size_t> nodes;
  };
  constexpr greatest find(planner::ratio least) const {
    const planner::timing all = by_node();
    const planner::list<std::size_t> order = in_order();
    planner::period_finder finder(all);
    greatest found{finder.period(least, order), {}};
    if (!(least < found.period)) return {least, {}};
    found.nodes = in_order_of_work(finder.cycle(), order);
    return found;
  }

 private:
  struct waiting {
    std::size_t from;
    std::size_t to;
    long long ago;
  };

  constexpr planner::timing by_node() const {
    planner::timing all;
    all.weight = times_;
    all.into = planner::list<planner::range>(times_.size(), planner::range{});
    for (const waiting& w : waits_) ++all.into[w.to].last;
    planner::timing::arc* const arcs = all.arcs.overwrite(planner::lay_out(all.into));
    for (const waiting& w : waits_) arcs[all.into[w.to].last++] = {w.from, w.ago};
    return all;
  }

  /// Nodes behind those that they wait for on the same batch, as the finder likes them.
  constexpr planner::list<std::size_t> in_order() const {
    const std::size_t nodes = times_.size();
    planner::list<std::size_t> missing(nodes, 0);
    planner::list<planner::range> after(nodes, planner::range{});
    for (const waiting& w : waits_) {
      if (w.ago != 0) continue;
      ++missing[w.to];
      ++after[w.from].last;
    }
    planner::list<std::size_t> next;
    std::size_t* const followers = next.overwrite(planner::lay_out(after));
    for (const waiting& w : waits_)
      if (w.ago == 0) followers[after[w.from].last++] = w.to;
    planner::list<std::size_t> order;
    order.reserve(nodes);
    for (std::size_t n = 0; n < nodes; ++n)
      if (missing[n] == 0) order.push_back(n);
    for (std::size_t i = 0; i < order.size(); ++i)
      for (std::size_t f = after[order[i]].first; f < after[order[i]].last; ++f)
        if (--missing[followers[f]] == 0) order.push_back(followers[f]);
    for (std::size_t n = 0; n < nodes; ++n)
      if (missing[n] > 0) order.push_back(n);
    return order;
  }

  planner::list<long long> times_;  // by node
  planner::list<waiting> waits_;
};

}  // namespace stretto::bound::shared
