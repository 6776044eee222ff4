// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/layout/layout.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>
#include <utility>

namespace stretto::planner {

/// Whether the enumeration's times, which are scaled, are numbers that it can hold. They are
/// for any realistic weights.
constexpr bool can_enumerate(const layout_problem& p) {
  const auto nodes = static_cast<long long>(p.order.size());
  long long weights = 1;
  for (const long long w : p.edges.weight) weights += w;
  long long deltas = nodes + 1;
  for (const timing::arc& a : p.edges.arcs) deltas += a.delta;
  const long long scale = (deltas + nodes + 1) * (nodes + 1);
  return weights < (1LL << 56) / deltas / scale;
}

/// Looks for the best of all thread maps, starting from a good one: goes through all ways to give
/// tasks to threads, heaviest first, and for each that may be better through all orders of the
/// threads' chains. What cannot beat the best map known is left out early: a thread with too much
/// to do, two tasks that cannot share a thread whichever comes first.
class layout_enumeration {
 public:
  layout_enumeration(const layout_enumeration&) = delete;
  layout_enumeration& operator=(const layout_enumeration&) = delete;
  constexpr layout_enumeration(const layout_problem& p, layout best, long long budget)
      : p_(&p),
        weight_(p.edges.weight.data()),
        arcs_(p.edges.arcs.data()),
        into_(p.edges.into.data()),
        order_(p.order.data()),
        unit_(p.unit.data()),
        nodes_(p.order.size()),
        left_(budget),
        best_(std::move(best)),
        finder_(p.edges),
        thread_of_(p.pinned),
        load_(p.threads, 0),
        durations_(nodes_, 0),
        duration_(durations_.data()) {}

  /// The best map; \c exact if all others were excluded before the budget was used up. \p likely:
  /// which threads to try first, by node.
  constexpr layout run(const list<std::size_t>& likely) {
    aim();
    for (std::size_t n = 0; n < nodes_; ++n) load_[likely[n]] += weight_[n];
    thread_of_ = likely;
    finish();
    thread_of_ = p_->pinned;
    load_.assign(p_->threads, 0);
    for (std::size_t n = 0; n < nodes_; ++n)
      if (p_->pinned[n] != none) load_[p_->pinned[n]] += weight_[n];
    for (std::size_t n = 0; n < nodes_; ++n)
      if (p_->pinned[n] == none && unit_[n] == n) units_.push_back(n);
    unit_weight_.assign(nodes_, 0);
    for (std::size_t n = 0; n < nodes_; ++n) unit_weight_[unit_[n]] += weight_[n];
    insertion_sort(units_,
                   [&](std::size_t a, std::size_t b) { return unit_weight_[a] > unit_weight_[b]; });
    assign(0, p_->named);
    best_.exact = left_ > 0;
    return best_;
  }

 private:
  // Where no way leads. What is added to it keeps it below `out_of_reach`, so that nothing needs to
  // ask.
  static constexpr long long never = -(1LL << 60);
  static constexpr long long out_of_reach = never / 2;

  /// What a map must reach to be taken: to be faster than the best one, or (with fewer crossings)
  /// as fast.
  struct target {
    long long lap = 0;      ///< a progress, scaled
    list<long long> ways;   ///< longest ways between nodes by the arcs alone
    bool possible = false;  ///< the arcs leave room for it
  };

  /// Aims at what the best map known leaves to reach. Times are scaled, so that a term too small to
  /// change any comparison can tell "faster" from "as fast" and keep weights of 0 in order.
  constexpr void aim() {
    long long deltas = 1;
    for (const timing::arc& a : p_->edges.arcs) deltas += a.delta;
    const long long more = static_cast<long long>(nodes_) + 1;
    scale_ = (deltas + more) * more;
    for (std::size_t n = 0; n < nodes_; ++n)
      durations_[n] = weight_[n] * best_.period.progresses * scale_ + 1;
    const long long lap = best_.period.time * scale_;
    faster_.lap = lap;
    as_fast_.lap = lap + more;
    for (target* t : {&faster_, &as_fast_}) {
      t->ways.assign(nodes_ * nodes_, never);
      for (std::size_t n = 0; n < nodes_; ++n) t->ways[n * nodes_ + n] = 0;
      t->possible = true;
      for (std::size_t n = 0; n < nodes_; ++n) {
        for (std::size_t i = into_[n].first; i < into_[n].last; ++i) {
          const timing::arc& a = arcs_[i];
          // Once the budget is used up nobody looks at it any more.
          t->possible = t->possible && left_ > 0 &&
                        insert(t->ways, a.from, n, duration_[a.from] - a.delta * t->lap);
        }
      }
    }
  }

  /// Adds "b starts at least \p length after a"; false if that closes a cycle that takes too long.
  constexpr bool insert(list<long long>& ways, std::size_t a, std::size_t b, long long length) {
    long long* const at = ways.data();
    const std::size_t nodes = nodes_;
    --left_;
    if (at[b * nodes + a] + length > 0) return false;
    if (at[a * nodes + b] >= length) return true;
    const long long* const from_b = at + b * nodes;
    for (std::size_t x = 0; x < nodes; ++x) {
      const long long before = at[x * nodes + a];
      if (before < out_of_reach) continue;
      const long long reached = before + length;
      long long* const from_x = at + x * nodes;
      if (from_x[b] >= reached) continue;
      for (std::size_t y = 0; y < nodes; ++y)
        if (reached + from_b[y] > from_x[y]) from_x[y] = reached + from_b[y];
      left_ -= static_cast<long long>(nodes);
    }
    return true;
  }

  /// How much time there is to spare if a comes before b on one thread, and a again a lap later;
  /// less than 0: not enough.
  constexpr long long room(const list<long long>& ways, long long lap, std::size_t a,
                           std::size_t b) const {
    if (b == order_[0] || a == order_[nodes_ - 1]) return -1;  // ends stay where they are
    const long long* const way = ways.data();
    const long long before = -way[b * nodes_ + a] - duration_[a];
    const long long behind = lap - way[a * nodes_ + b] - duration_[b];
    return before < behind ? before : behind;
  }
  constexpr bool precedes(const list<long long>& ways, long long lap, std::size_t a,
                          std::size_t b) const {
    const long long* const way = ways.data();
    return way[a * nodes_ + b] >= duration_[a] && way[b * nodes_ + a] >= duration_[b] - lap;
  }
  constexpr bool put_before(list<long long>& ways, long long lap, std::size_t a, std::size_t b) {
    return insert(ways, a, b, duration_[a]) && insert(ways, b, a, duration_[b] - lap);
  }

  /// Orders all pairs of nodes that share a thread, if that can be done; \p ways becomes the
  /// result.
  constexpr bool order_chains(list<long long>& ways, long long lap) {
    const std::size_t* const thread_of = thread_of_.data();
    for (;;) {
      bool changed = false;
      std::size_t first = none;
      std::size_t second = none;
      long long least = 0;
      for (std::size_t i = 0; i < nodes_; ++i) {
        for (std::size_t j = i + 1; j < nodes_; ++j) {
          const std::size_t a = order_[i];
          const std::size_t b = order_[j];
          if (thread_of[a] != thread_of[b]) continue;
          if (--left_ <= 0) return false;
          if (precedes(ways, lap, a, b) || precedes(ways, lap, b, a)) continue;
          const long long forth = room(ways, lap, a, b);
          const long long back = room(ways, lap, b, a);
          if (forth < 0 && back < 0) return false;
          if (forth < 0 || back < 0) {
            if (!put_before(ways, lap, forth < 0 ? b : a, forth < 0 ? a : b)) return false;
            changed = true;
          } else if (first == none || smaller(forth, back) < least) {
            least = smaller(forth, back);
            first = forth < back ? b : a;
            second = forth < back ? a : b;
          }
        }
      }
      if (changed) continue;
      if (first == none) return true;
      list<long long> attempt(ways);
      left_ -= static_cast<long long>(nodes_);
      if (put_before(attempt, lap, first, second) && order_chains(attempt, lap)) {
        ways = attempt;
        return true;
      }
      if (left_ <= 0 || !put_before(ways, lap, second, first)) return false;
    }
  }

  /// The nodes by their earliest start.
  constexpr list<std::size_t> order_of(const list<long long>& ways) const {
    list<long long> start(nodes_, 0);
    long long* const at = start.data();
    const long long* way = ways.data();
    for (std::size_t a = 0; a < nodes_; ++a)
      for (std::size_t b = 0; b < nodes_; ++b, ++way)
        if (*way > at[b]) at[b] = *way;
    start[p_->order.front()] = -1;
    start[p_->order.back()] = -never;
    list<std::size_t> order(p_->order);
    insertion_sort(order, [&](std::size_t a, std::size_t b) { return start[a] < start[b]; });
    return order;
  }

  /// Arcs between nodes that are on different threads already.
  constexpr std::size_t crossings() const {
    std::size_t count = 0;
    const std::size_t* const thread_of = thread_of_.data();
    for (std::size_t n = 0; n < nodes_; ++n) {
      const std::size_t own = thread_of[n];
      if (own == none) continue;
      for (std::size_t a = into_[n].first; a < into_[n].last; ++a) {
        const std::size_t other = thread_of[arcs_[a].from];
        if (other != none && other != own) ++count;
      }
    }
    return count;
  }

  /// All nodes are on threads: takes the best orders of the chains, if they make a better map.
  constexpr void finish() {
    while (left_ > 0) {
      const std::size_t crossed = crossings();
      const bool must_be_faster = crossed >= best_.crossings;
      const target& t = must_be_faster ? faster_ : as_fast_;
      if (!t.possible) return;
      // A node alone on its thread is in no pair.
      ratio least = p_->bound;
      for (const long long load : load_)
        if (least < ratio{load, 1}) least = {load, 1};
      if (best_.period < least || (must_be_faster && best_.period == least)) return;
      list<long long> ways(t.ways);
      left_ -= static_cast<long long>(nodes_);
      if (!order_chains(ways, t.lap)) return;
      layout found;
      found.order = order_of(ways);
      found.thread_of = thread_of_;
      found.crossings = crossed;
      found.period = finder_.period(least, found.order, thread_of_, p_->threads);
      best_ = found;
      aim();
    }
  }

  /// Whether no map with these nodes on these threads is better than the best one. \p unit is on
  /// \p thread since just now.
  constexpr bool hopeless(std::size_t thread, std::size_t unit) {
    const ratio least{load_[thread], 1};
    if (best_.period < least) return true;
    left_ -= static_cast<long long>(p_->edges.arcs.size() + nodes_);
    const bool must_be_faster = crossings() >= best_.crossings;
    if (must_be_faster && (best_.period == least || best_.period == p_->bound)) return true;
    const target& t = must_be_faster ? faster_ : as_fast_;
    if (!t.possible) return true;
    const std::size_t* const thread_of = thread_of_.data();
    for (std::size_t n = 0; n < nodes_; ++n) {
      if (unit_[n] != unit) continue;
      for (std::size_t other = 0; other < nodes_; ++other)
        if (other != n && thread_of[other] == thread && room(t.ways, t.lap, n, other) < 0 &&
            room(t.ways, t.lap, other, n) < 0)
          return true;
    }
    return false;
  }

  /// Gives the units from \p next on to threads; \p opened: the first worker still without a task.
  constexpr void assign(std::size_t next, std::size_t opened) {
    if (left_ <= 0) return;
    if (next == units_.size()) return finish();
    const std::size_t unit = units_[next];
    for (std::size_t t = 0; t < smaller(opened + 1, p_->threads); ++t) {
      move(unit, t);
      load_[t] += unit_weight_[unit];
      if (!hopeless(t, unit)) assign(next + 1, larger(opened, t + 1));
      load_[t] -= unit_weight_[unit];
      move(unit, none);
    }
  }

  constexpr void move(std::size_t unit, std::size_t thread) {
    std::size_t* const thread_of = thread_of_.data();
    for (std::size_t n = 0; n < nodes_; ++n)
      if (unit_[n] == unit) thread_of[n] = thread;
  }

  const layout_problem* p_;
  // Of the problem; raw pointers here and below, because a compiler takes a call per access for
  // anything else.
  const long long* weight_;
  const timing::arc* arcs_;
  const range* into_;
  const std::size_t* order_;
  const std::size_t* unit_;
  std::size_t nodes_;
  long long left_;
  layout best_;
  period_finder finder_;
  list<std::size_t> thread_of_;  // by node; none: not given yet
  list<long long> load_;         // by thread
  list<std::size_t> units_;      // to be given to threads
  list<long long> unit_weight_;
  long long scale_ = 1;
  list<long long> durations_;  // by node, scaled
  const long long* duration_;
  target faster_;
  target as_fast_;
};

}  // namespace stretto::planner
