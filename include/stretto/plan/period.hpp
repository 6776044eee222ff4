// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <span>
#include <stretto/plan/edge.hpp>
#include <stretto/plan/graph.hpp>
#include <stretto/plan/list.hpp>

namespace stretto::plan {

/// Time per progress, an exact quotient. The time is in the unit of the tasks' weights.
struct ratio {
  long long time = 0;
  long long progresses = 1;

  constexpr double value() const {
    return static_cast<double>(time) / static_cast<double>(progresses);
  }
  friend constexpr bool operator<(const ratio& a, const ratio& b) {
    return a.time * b.progresses < b.time * a.progresses;
  }
  friend constexpr bool operator==(const ratio& a, const ratio& b) {
    return a.time * b.progresses == b.time * a.progresses;
  }
};

/// What a plan's edges say about time: a node starts at progress i when the node `from` of each of
/// its arcs has finished at progress i - delta.
struct timing {
  struct arc {
    std::size_t from = 0;
    long long delta = 0;
  };
  list<long long> weight;  ///< by node
  list<arc> arcs;
  list<range> into;  ///< by node, into \c arcs
};

/// Keeps of all edges between two nodes the one with the least delta, and of those from `pull` and
/// to `deliver` what others do not imply: the rest delays nothing.
constexpr timing make_timing(const graph& g, std::span<const edge> edges) {
  const std::size_t nodes = g.nodes.size();
  const auto lag = [&](std::size_t n) { return g.max_lookahead - g.nodes[n].lookahead; };
  list<char> after_another(nodes, 0);   // not before it, so that `pull` comes earlier still
  list<char> before_another(nodes, 0);  // not after it, so that `deliver` comes later still
  list<range> groups(nodes, range{});
  for (const edge& e : edges) {
    ++groups[e.consumer].last;
    if (e.producer == e.consumer || lag(e.producer) + e.delta > lag(e.consumer)) continue;
    if (e.producer != g.pull()) after_another[e.consumer] = 1;
    if (e.consumer != g.deliver()) before_another[e.producer] = 1;
  }
  list<std::size_t> by_consumer(lay_out(groups), 0);
  for (std::size_t i = 0; i < edges.size(); ++i) by_consumer[groups[edges[i].consumer].last++] = i;

  timing t;
  t.weight.assign(nodes, 0);
  for (std::size_t n = 0; n < nodes; ++n) t.weight[n] = g.nodes[n].weight;
  t.into.assign(nodes, {});
  t.arcs.reserve(edges.size());
  list<std::size_t> known(nodes, none);  // where the arc from a node is; stale for other consumers
  for (std::size_t n = 0; n < nodes; ++n) {
    t.into[n].first = t.arcs.size();
    for (std::size_t i = groups[n].first; i < groups[n].last; ++i) {
      const edge& e = edges[by_consumer[i]];
      if (e.producer == n || (e.why == reason::batch && after_another[n] != 0) ||
          (e.why == reason::through && before_another[e.producer] != 0))
        continue;
      std::size_t& place = known[e.producer];
      if (place != none && place >= t.into[n].first) {
        if (e.delta < t.arcs[place].delta) t.arcs[place].delta = e.delta;
      } else {
        place = t.arcs.size();
        t.arcs.push_back({e.producer, e.delta});
      }
    }
    t.into[n].last = t.arcs.size();
  }
  return t;
}

/// Finds how long a progress takes when threads run ahead of each other: the greatest ratio of a
/// cycle's weights to its deltas, over all cycles of arcs and chains. Exact.
class period_finder {
 public:
  explicit constexpr period_finder(const timing& t)
      : timing_(&t), reach_(t.weight.size(), 0), via_(t.weight.size(), {}) {}

  /// Looks for a cycle of more than \p rate. \p order is topological where delta is 0; each thread
  /// runs its nodes in that order. Without threads, only the arcs count.
  constexpr bool exceeds(ratio rate, std::span<const std::size_t> order,
                         std::span<const std::size_t> thread_of = {}, std::size_t threads = 0) {
    const std::size_t nodes = timing_->weight.size();
    for (std::size_t n = 0; n < nodes; ++n) {
      reach_[n] = 0;
      via_[n].from = none;
    }
    work_ += static_cast<long long>(nodes);
    list<std::size_t> tail(threads, none);
    if (threads > 0)
      for (const std::size_t n : order) tail[thread_of[n]] = n;
    while (sweep(rate, order, thread_of, tail))
      if (closes()) return true;
    return false;
  }

  /// The greatest ratio of any cycle, if it is at least \p least, else \p least. Stops at the first
  /// cycle of more than \p limit, if there is a limit.
  constexpr ratio period(ratio least, std::span<const std::size_t> order,
                         std::span<const std::size_t> thread_of = {}, std::size_t threads = 0,
                         ratio limit = {0, 0}) {
    ratio rate = least;
    while (exceeds(rate, order, thread_of, threads)) {
      rate = {0, 0};
      for (const std::size_t n : cycle_) {
        rate.time += timing_->weight[n];
        rate.progresses += via_[n].delta;
      }
      if (limit.progresses != 0 && limit < rate) break;
    }
    return rate;
  }

  /// The cycle found last, against the arcs' direction.
  constexpr const list<std::size_t>& cycle() const { return cycle_; }

  /// The arcs and nodes looked at so far, a measure of work that is the same everywhere.
  constexpr long long work() const { return work_; }

 private:
  // Raw pointers, because a call per access doubles the steps that a compiler counts.
  constexpr bool sweep(ratio rate, std::span<const std::size_t> order,
                       std::span<const std::size_t> thread_of, const list<std::size_t>& tail) {
    const long long* const weight = timing_->weight.data();
    const timing::arc* const arcs = timing_->arcs.data();
    const range* const into = timing_->into.data();
    long long* const reach = reach_.data();
    timing::arc* const via = via_.data();
    const std::size_t* const thread = thread_of.data();
    const bool threaded = !thread_of.empty();
    list<std::size_t> last(tail);
    list<char> begun(tail.size(), 0);
    bool grew = false;
    for (const std::size_t n : order) {
      long long best = reach[n];
      timing::arc through{none, 0};
      for (const timing::arc* a = arcs + into[n].first; a != arcs + into[n].last; ++a) {
        const long long start =
            reach[a->from] + weight[a->from] * rate.progresses - a->delta * rate.time;
        if (start <= best) continue;
        best = start;
        through = *a;
      }
      work_ += static_cast<long long>(into[n].last - into[n].first) + 1;
      if (threaded) {
        std::size_t& before = last[thread[n]];
        char& in_progress = begun[thread[n]];
        const long long start =
            reach[before] + weight[before] * rate.progresses - (in_progress != 0 ? 0 : rate.time);
        if (start > best) {
          best = start;
          through = {before, in_progress != 0 ? 0 : 1};
        }
        before = n;
        in_progress = 1;
      }
      if (through.from == none) continue;
      reach[n] = best;
      via[n] = through;
      grew = true;
    }
    return grew;
  }

  /// Whether the arcs that gave the nodes their values form a cycle: its ratio is above the rate.
  constexpr bool closes() {
    const std::size_t nodes = via_.size();
    work_ += 2 * static_cast<long long>(nodes);
    list<std::size_t> seen(nodes, none);
    for (std::size_t start = 0; start < nodes; ++start) {
      std::size_t at = start;
      while (at != none && seen[at] == none) {
        seen[at] = start;
        at = via_[at].from;
      }
      if (at == none || seen[at] != start) continue;
      cycle_.assign(0, 0);
      const std::size_t end = at;
      do {
        cycle_.push_back(at);
        at = via_[at].from;
      } while (at != end);
      return true;
    }
    return false;
  }

  const timing* timing_;
  list<long long> reach_;
  list<timing::arc> via_;  // by node: the arc that gave it its value
  list<std::size_t> cycle_;
  long long work_ = 0;
};

}  // namespace stretto::plan
