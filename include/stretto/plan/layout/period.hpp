// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

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
    std::size_t from;
    long long delta;
  };
  list<long long> weight;  ///< by node
  list<arc> arcs;
  list<range> into;  ///< by node, into \c arcs
};

/// Keeps of all edges between two nodes the one with the least delta, and of those from `pull` and
/// to `deliver` what others do not imply: the rest delays nothing.
constexpr timing make_timing(const graph& g, view<edge> edges) {
  const std::size_t nodes = g.nodes.size();
  // Raw pointers here and below, because a compiler takes a call per access for anything else.
  const node* const of = g.nodes.data();
  list<char> not_first(nodes, 0);  // not before it, so that `pull` comes earlier still
  list<char> not_last(nodes, 0);   // not after it, and `deliver` waits for who comes later
  char* const after_another = not_first.data();
  char* const before_another = not_last.data();
  list<range> grouped(nodes, range{});
  range* const groups = grouped.data();
  const edge* const all = edges.data();
  const std::size_t count = edges.size();
  for (std::size_t i = 0; i < count; ++i) {
    const edge& e = all[i];
    ++groups[e.consumer].last;
    // As lag(producer) + delta > lag(consumer).
    if (e.producer == e.consumer || of[e.consumer].lookahead + e.delta > of[e.producer].lookahead)
      continue;
    if (e.producer != g.pull()) after_another[e.consumer] = 1;
    if (e.consumer != g.deliver() && of[e.consumer].settles) before_another[e.producer] = 1;
  }
  list<std::size_t> sorted;
  std::size_t* const by_consumer = sorted.overwrite(lay_out(grouped));
  for (std::size_t i = 0; i < count; ++i) by_consumer[groups[all[i].consumer].last++] = i;

  timing t;
  t.weight.reserve(nodes);
  for (const node& n : g.nodes) t.weight.push_back(n.weight);
  t.into.reserve(nodes);
  t.arcs.reserve(edges.size());
  list<std::size_t> places(nodes, none);
  std::size_t* const known = places.data();  // the arc from a node; stale for other consumers
  for (std::size_t n = 0; n < nodes; ++n) {
    const std::size_t first = t.arcs.size();
    for (std::size_t i = groups[n].first; i < groups[n].last; ++i) {
      const edge& e = all[by_consumer[i]];
      // A task's own runs are in order, unless workers take turns at them.
      if ((e.producer == n && g.nodes[n].workers == 1) ||
          (e.why == reason::batch && after_another[n] != 0) ||
          (e.why == reason::through && before_another[e.producer] != 0))
        continue;
      std::size_t& place = known[e.producer];
      if (place != none && place >= first) {
        if (e.delta < t.arcs[place].delta) t.arcs[place].delta = e.delta;
      } else {
        place = t.arcs.size();
        t.arcs.push_back({e.producer, e.delta});
      }
    }
    t.into.push_back({first, t.arcs.size()});
  }
  return t;
}

/// In what order threads run nodes: which one a thread runs before another, in the same progress
/// or, of its first one, in an earlier one, as many progresses ago as it has workers.
class thread_turns {
 public:
  explicit constexpr thread_turns(std::size_t nodes) : before_(nodes, {}) {}

  /// Each thread runs its nodes in \p order. \p workers by thread; empty: one each.
  constexpr void take(view<std::size_t> order, view<std::size_t> thread_of, std::size_t threads,
                      view<std::size_t> workers) {
    const std::size_t nodes = order.size();
    const std::size_t* const ordered = order.data();
    const std::size_t* const thread = thread_of.data();
    timing::arc* const turns = before_.data();
    firsts_.assign(threads, none);
    lasts_.assign(threads, none);
    std::size_t* const first = firsts_.data();
    std::size_t* const last = lasts_.data();
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::size_t n = ordered[i];
      const std::size_t on = thread[n];
      const std::size_t before = last[on];
      if (before == none) first[on] = n;
      turns[n] = {before, 0};
      last[on] = n;
    }
    for (std::size_t t = 0; t < threads; ++t)
      if (first[t] != none)
        turns[first[t]] = {last[t], workers.empty() ? 1 : static_cast<long long>(workers[t])};
  }

  constexpr const list<timing::arc>& before() const { return before_; }  ///< by node
  constexpr const list<std::size_t>& firsts() const { return firsts_; }  ///< by thread, or none
  constexpr const list<std::size_t>& lasts() const { return lasts_; }    ///< by thread, or none

 private:
  list<timing::arc> before_;
  list<std::size_t> firsts_;
  list<std::size_t> lasts_;
};

/// Finds how long a progress takes when threads run ahead of each other: the greatest ratio of a
/// cycle's weights to its deltas, over all cycles of arcs and chains. Exact.
class period_finder {
 public:
  explicit constexpr period_finder(const timing& t)
      : timing_(&t),
        reach_(t.weight.size(), 0),
        done_(t.weight.size(), 0),
        via_(t.weight.size(), {}),
        turns_(t.weight.size()),
        visited_(t.weight.size(), 0) {}

  /// The number of workers of each thread.
  constexpr void share(view<std::size_t> workers) {
    workers_ = workers.data();
    shared_ = workers.size();
  }

  /// Looks for a cycle of more than \p rate. \p order is topological where delta is 0; each thread
  /// runs its nodes in that order. Without threads, only the arcs count.
  constexpr bool exceeds(ratio rate, view<std::size_t> order, view<std::size_t> thread_of = {},
                         std::size_t threads = 0) {
    const std::size_t nodes = timing_->weight.size();
    const long long* const weight = timing_->weight.data();
    long long* const reach = reach_.data();
    long long* const done = done_.data();
    timing::arc* const via = via_.data();
    for (std::size_t n = 0; n < nodes; ++n) {
      reach[n] = 0;
      done[n] = weight[n] * rate.progresses;
      via[n].from = none;
    }
    work_ += static_cast<long long>(nodes);
    if (threads > 0) turns_.take(order, thread_of, threads, {workers_, shared_});
    while (sweep(rate, order, threads > 0))
      if (closes()) return true;
    return false;
  }

  /// The greatest ratio of any cycle, if it is at least \p least, else \p least. Stops at the first
  /// cycle of more than \p limit, if there is a limit.
  constexpr ratio period(ratio least, view<std::size_t> order, view<std::size_t> thread_of = {},
                         std::size_t threads = 0, ratio limit = {0, 0}) {
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

  /// By node, after `exceeds` has found no cycle of more than a rate, or `period` the rate: when it
  /// starts at the earliest if all keep to the rate, in units of 1 / `rate.progresses`. In progress
  /// i that is i times `rate.time` later.
  constexpr const list<long long>& starts() const { return reach_; }

  /// The arcs and nodes looked at so far, a measure of work that is the same everywhere.
  constexpr long long work() const { return work_; }

 private:
  // Raw pointers and indices, because a call per access doubles the steps that a compiler counts,
  // and each step of a pointer through an array costs it more memory than an index.

  constexpr bool sweep(ratio rate, view<std::size_t> order, bool threaded) {
    const std::size_t nodes = order.size();
    const std::size_t* const ordered = order.data();
    const long long* const weight = timing_->weight.data();
    const timing::arc* const arcs = timing_->arcs.data();
    const range* const into = timing_->into.data();
    const timing::arc* const turns = turns_.before().data();
    long long* const reach = reach_.data();
    long long* const done = done_.data();
    timing::arc* const via = via_.data();
    const long long progresses = rate.progresses;
    const long long time = rate.time;
    bool grew = false;
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::size_t n = ordered[i];
      const std::size_t first = into[n].first;
      const std::size_t last = into[n].last;
      const long long known = reach[n];
      long long best = known;
      std::size_t through = none;
      for (std::size_t a = first; a < last; ++a) {
        const long long start = done[arcs[a].from] - arcs[a].delta * time;
        if (start <= best) continue;
        best = start;
        through = a;
      }
      if (threaded) {
        const long long start = done[turns[n].from] - turns[n].delta * time;
        if (start > best) {
          best = start;
          through = none;
        }
      }
      if (best == known) continue;
      reach[n] = best;
      done[n] = best + weight[n] * progresses;
      via[n] = through == none ? turns[n] : arcs[through];
      grew = true;
    }
    work_ += static_cast<long long>(timing_->arcs.size() + nodes);
    return grew;
  }

  /// Whether the arcs that gave the nodes their values form a cycle: its ratio is above the rate.
  constexpr bool closes() {
    const std::size_t nodes = via_.size();
    work_ += 2 * static_cast<long long>(nodes);
    const timing::arc* const via = via_.data();
    std::size_t* const seen = visited_.data();
    const std::size_t before = looks_;  // larger numbers are of this call
    looks_ += nodes;
    for (std::size_t start = 0; start < nodes; ++start) {
      const std::size_t mark = before + start + 1;
      std::size_t at = start;
      while (at != none && seen[at] <= before) {
        seen[at] = mark;
        at = via[at].from;
      }
      if (at == none || seen[at] != mark) continue;
      cycle_.assign(0, 0);
      const std::size_t end = at;
      do {
        cycle_.push_back(at);
        at = via[at].from;
      } while (at != end);
      return true;
    }
    return false;
  }

  const timing* timing_;
  // Not a view, which nvcc does not take for a literal here.
  const std::size_t* workers_ = nullptr;
  std::size_t shared_ = 0;  // how many threads have a number of workers
  list<long long> reach_;   // by node: when it starts
  list<long long> done_;    // by node: when it ends
  list<timing::arc> via_;   // by node: the arc that gave it its value
  thread_turns turns_;
  list<std::size_t> visited_;  // by node: when `closes` came there
  std::size_t looks_ = 0;
  list<std::size_t> cycle_;
  long long work_ = 0;
};

/// The time per progress if each thread, or other track, runs its nodes in order. \p finder is told
/// of the workers.
constexpr ratio period_on(period_finder& finder, const timing& t, view<std::size_t> order,
                          view<std::size_t> track_of, view<std::size_t> workers) {
  list<long long> loads(workers.size(), 0);
  ratio fullest{0, 1};
  for (const std::size_t n : order) {
    loads[track_of[n]] += t.weight[n];
    const ratio own{loads[track_of[n]], static_cast<long long>(workers[track_of[n]])};
    if (fullest < own) fullest = own;
  }
  finder.share(workers);
  return finder.period(fullest, order, track_of, workers.size());
}
constexpr ratio period_on(const timing& t, view<std::size_t> order, view<std::size_t> track_of,
                          view<std::size_t> workers) {
  period_finder finder(t);
  return period_on(finder, t, order, track_of, workers);
}

}  // namespace stretto::planner
