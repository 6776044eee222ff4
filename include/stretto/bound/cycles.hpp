// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/bound/order_of_work.hpp>
#include <stretto/bound/spare_times.hpp>
#include <stretto/bound/thread_arcs.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::bound::detail {

/// The cycles of a plan: a node waits for others, they for others again, until it waits for itself
/// some progresses earlier. Each thread's own order is among what nodes wait for, so that its work
/// is a cycle, too. The time of a cycle's nodes, divided by its progresses, is a bound of the time
/// per progress, and the greatest such ratio is the least time per progress that there can be
/// (F. Baccelli and others, Synchronization and Linearity, 1992, section 3.7).
class cycles {
 public:
  /// \p order, \p thread_of by node and \p workers by thread as in a plan; \p edges of the plan.
  /// Nodes take the time of their weights. If threads \p meet after each progress, there is a node
  /// more for that, which takes none, and at which batches are handed out.
  constexpr cycles(const planner::graph& g, planner::view<std::size_t> order,
                   planner::view<planner::edge> edges, planner::view<std::size_t> thread_of,
                   planner::view<std::size_t> workers, bool meet)
      : timing_(thread_arcs(planner::make_timing(g, awaited(g, edges, meet)), order, thread_of,
                            workers, meet)),
        order_(order_with_meeting(order, meet)),
        meet_(meet) {}

  constexpr long long time_of(std::size_t node) const { return timing_.weight[node]; }
  constexpr void set_time(std::size_t node, long long time) { timing_.weight[node] = time; }
  constexpr const planner::timing& waits() const { return timing_; }
  constexpr const planner::list<std::size_t>& order() const { return order_; }
  constexpr bool meet() const { return meet_; }

  /// The greatest ratio of a cycle's time to its progresses, and that cycle.
  struct critical {
    planner::ratio period;  ///< its time, and its progresses
    planner::list<std::size_t>
        nodes;  ///< in the order in which they work; none if all take no time
  };
  constexpr critical find_critical() const {
    planner::period_finder finder(timing_);
    critical found;
    found.period = finder.period({0, 1}, order_);
    if (found.period.time == 0) return found;
    found.nodes = shared::in_order_of_work(finder.cycle(), order_);
    return found;
  }
  constexpr planner::ratio period() const {
    return planner::period_finder(timing_).period({0, 1}, order_);
  }

  /// How much longer a node may take before a progress takes longer than \p period, the present
  /// one.
  constexpr planner::ratio spare(std::size_t node, planner::ratio period) const {
    return shared::spare_times(timing_, order_, period).of(node);
  }

 private:
  /// What nodes wait for; where threads meet, that is all that a batch is handed out after.
  static constexpr planner::list<planner::edge> awaited(const planner::graph& g,
                                                        planner::view<planner::edge> edges,
                                                        bool meet) {
    planner::list<planner::edge> all(edges);
    if (!meet) all.append(planner::delivery_edges(g));
    return all;
  }

  planner::timing timing_;
  planner::list<std::size_t> order_;
  bool meet_ = false;
};

}  // namespace stretto::bound::detail
