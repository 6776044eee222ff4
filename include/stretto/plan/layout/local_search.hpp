// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/layout/layout.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>
#include <utility>

namespace stretto::planner {

/// Looks for a good thread map: tries a few layouts made by rules of thumb, then moves the tasks on
/// the critical cycle, from the best layout known and from disturbed copies of it. Ends when the
/// bound is met, or when it has done the work it may do.
class layout_search {
 public:
  constexpr layout_search(const layout_problem& p, long long budget)
      : p_(&p),
        weight_(p.edges.weight.data()),
        arcs_(p.edges.arcs.data()),
        into_(p.edges.into.data()),
        left_(budget),
        finder_(p.edges),
        position_(p.order.size(), 0) {
    const std::size_t nodes = p.unit.size();
    of_unit_.assign(nodes, range{});
    for (std::size_t n = 0; n < nodes; ++n) ++of_unit_[p.unit[n]].last;
    lay_out(of_unit_);
    std::size_t* const to = grouped_.overwrite(nodes);
    for (std::size_t n = 0; n < nodes; ++n) to[of_unit_[p.unit[n]].last++] = n;
    make_successors();
  }

  /// A good layout, at once.
  constexpr layout quick() {
    start();
    improve();
    return now_;
  }

  /// Goes on from \p best, found elsewhere, and from disturbed copies of it.
  constexpr layout patient(const layout& from) {
    layout best = from;
    now_ = from;
    critical_.assign(0, 0);
    while (left_ > 0 && p_->bound < best.period && movable()) {
      disturb();
      improve();
      if (better(now_, best)) {
        best = now_;
      } else {
        now_ = best;
        critical_.assign(0, 0);
      }
    }
    return best;
  }

  /// Each stream on one thread, the heaviest first, where there is the least to do; then the rest
  /// in the same way. Tasks of a stream run in order anyway: spread out, all that they get is
  /// waits.
  constexpr layout whole_streams(const list<std::size_t>& order) {
    layout l = pinned_only(order);
    list<long long> load = pinned_loads();
    const auto emptiest = [&] { return place_of_least(load); };
    for (;;) {
      std::size_t heaviest = none;
      long long most = -1;
      for (const std::size_t first : order) {
        if (l.thread_of[first] != none || p_->stream[first] == none) continue;
        long long sum = 0;
        for (const std::size_t n : order)
          if (p_->stream[n] == p_->stream[first] && l.thread_of[n] == none) sum += weight_[n];
        left_ -= nodes();
        if (sum <= most) continue;
        most = sum;
        heaviest = p_->stream[first];
      }
      if (heaviest == none) break;
      const std::size_t thread = emptiest();
      for (const std::size_t n : order)
        if (p_->stream[n] == heaviest && l.thread_of[n] == none) put(l, load, n, thread);
    }
    for (const std::size_t n : order)
      if (l.thread_of[n] == none) put(l, load, n, emptiest());
    return l;
  }

  /// The work that is left to do, and more to do.
  constexpr long long& left() { return left_; }

 private:
  static constexpr ratio no_limit{0, 0};

  // -- what a layout costs

  constexpr long long nodes() const { return static_cast<long long>(p_->order.size()); }

  constexpr std::size_t crossings(const list<std::size_t>& thread_of) const {
    std::size_t count = 0;
    const std::size_t* const thread = thread_of.data();
    const timing::arc* const arcs = arcs_;
    const std::size_t nodes = p_->order.size();
    for (std::size_t n = 0; n < nodes; ++n) {
      const range in = into_[n];
      const std::size_t own = thread[n];
      for (std::size_t a = in.first; a < in.last; ++a)
        if (thread[arcs[a].from] != own) ++count;
    }
    return count;
  }

  constexpr list<long long> loads(const list<std::size_t>& thread_of) const {
    list<long long> load(p_->threads, 0);
    long long* const sum = load.data();
    const long long* const weight = weight_;
    const std::size_t* const thread = thread_of.data();
    const std::size_t nodes = thread_of.size();
    for (std::size_t n = 0; n < nodes; ++n) sum[thread[n]] += weight[n];
    return load;
  }

  /// Works a layout's period out, unless it is above \p limit; \p cycle becomes what determines it.
  constexpr bool evaluate(layout& l, ratio limit, list<std::size_t>& cycle) {
    const list<long long> load = loads(l.thread_of);
    const auto fullest = place_of_greatest(load);
    const ratio least{load[fullest], 1};
    const bool limited = limit.progresses != 0;
    left_ -= 2 * nodes();  // with what it took to make the layout
    if (limited && limit < least) return false;
    const long long before = finder_.work();
    l.period = finder_.period(least < p_->bound ? p_->bound : least, l.order, l.thread_of,
                              p_->threads, limit);
    left_ -= finder_.work() - before + nodes();
    if (limited && limit < l.period) return false;
    l.crossings = crossings(l.thread_of);
    left_ -= static_cast<long long>(p_->edges.arcs.size()) + nodes();
    cycle.assign(0, 0);
    overloaded_ = l.period == least;
    if (overloaded_) {
      for (const std::size_t n : l.order)
        if (l.thread_of[n] == fullest) cycle.push_back(n);
    } else {
      cycle = finder_.cycle();
    }
    return true;
  }

  /// Makes a layout the current one if it is better.
  constexpr bool take(layout& candidate) {
    list<std::size_t> cycle;
    const bool first = now_.order.empty();
    const bool was_overloaded = overloaded_;
    if (!evaluate(candidate, first ? no_limit : now_.period, cycle)) return false;
    if (!first && !better(candidate, now_)) {
      overloaded_ = was_overloaded;
      return false;
    }
    now_ = std::move(candidate);
    critical_ = std::move(cycle);
    return true;
  }

  // -- where to start

  constexpr void make_successors() {
    next_.assign(p_->order.size(), {});
    for (const std::size_t n : p_->order)
      for (std::size_t a = into_[n].first; a < into_[n].last; ++a)
        if (arcs_[a].delta == 0) ++next_[arcs_[a].from].last;
    after_.assign(lay_out(next_), 0);
    for (const std::size_t n : p_->order)
      for (std::size_t a = into_[n].first; a < into_[n].last; ++a)
        if (arcs_[a].delta == 0) after_[next_[arcs_[a].from].last++] = n;
  }

  constexpr bool is_end(std::size_t n) const {
    return n == p_->order.front() || n == p_->order.back();
  }

  /// The nodes by the time at which each can start if progresses follow each other at the bound,
  /// and ends first and last: topological too.
  constexpr list<std::size_t> by_start(list<long long>& start) {
    const ratio rate = p_->bound;
    start.assign(p_->order.size(), 0);
    long long* const at = start.data();
    const long long* const weight = weight_;
    const timing::arc* const arcs = arcs_;
    bool grew = true;
    for (std::size_t round = 0; grew && round < 2 * p_->order.size(); ++round) {
      grew = false;
      for (const std::size_t n : p_->order) {
        const range in = into_[n];
        for (std::size_t i = in.first; i < in.last; ++i) {
          const timing::arc* const a = arcs + i;
          const long long s =
              at[a->from] + weight[a->from] * rate.progresses - a->delta * rate.time;
          if (s <= at[n]) continue;
          at[n] = s;
          grew = true;
        }
        left_ -= static_cast<long long>(in.last - in.first);
      }
    }
    left_ -= 16 * nodes();
    list<std::size_t> keys(p_->order.size(), 0);
    for (std::size_t n = 0; n < keys.size(); ++n) keys[n] = static_cast<std::size_t>(at[n]);
    keys[p_->order.front()] = 0;
    keys[p_->order.back()] = none;
    list<std::size_t> sorted(p_->order);
    sort_by_key(sorted, keys);
    return sorted;
  }

  constexpr layout pinned_only(const list<std::size_t>& order) const {
    layout l;
    l.order = order;
    l.thread_of = p_->pinned;
    return l;
  }

  /// The nodes that must be on the thread that a node is on.
  constexpr view<std::size_t> members(std::size_t n) const {
    const range r = of_unit_[p_->unit[n]];
    return {grouped_.data() + r.first, r.last - r.first};
  }

  constexpr long long unit_weight(std::size_t n) const {
    long long sum = 0;
    for (const std::size_t m : members(n)) sum += weight_[m];
    return sum;
  }

  constexpr void put(layout& l, list<long long>& load, std::size_t n, std::size_t thread) const {
    for (const std::size_t m : members(n)) l.thread_of[m] = thread;
    load[thread] += unit_weight(n);
  }

  constexpr list<long long> pinned_loads() const {
    list<long long> load(p_->threads, 0);
    for (std::size_t n = 0; n < p_->pinned.size(); ++n)
      if (p_->pinned[n] != none) load[p_->pinned[n]] += weight_[n];
    return load;
  }

  /// Fills thread after thread with what comes next in \p sequence, up to an equal share.
  constexpr layout in_stages(const list<std::size_t>& sequence, const list<std::size_t>& order) {
    layout l = pinned_only(order);
    list<long long> load = pinned_loads();
    long long rest = 0;
    for (std::size_t n = 0; n < l.order.size(); ++n) rest += weight_[n];
    std::size_t at = 0;
    for (const std::size_t n : sequence) {
      if (l.thread_of[n] != none) continue;
      // The share of those threads that are not full yet.
      const long long share = rest / static_cast<long long>(p_->threads - at);
      if (at + 1 < p_->threads && load[at] + unit_weight(n) / 2 > share) {
        rest -= load[at];
        ++at;
      }
      put(l, load, n, at);
    }
    return l;
  }

  /// The heaviest first, each on the thread that has the least to do.
  constexpr layout heaviest_first(const list<std::size_t>& order) {
    layout l = pinned_only(order);
    list<long long> load = pinned_loads();
    left_ -= 16 * nodes();
    list<std::size_t> keys(order.size(), 0);
    for (std::size_t n = 0; n < keys.size(); ++n)
      keys[n] = none - static_cast<std::size_t>(weight_[n]);
    list<std::size_t> sequence(p_->order);
    sort_by_key(sequence, keys);
    for (const std::size_t n : sequence)
      if (l.thread_of[n] == none) put(l, load, n, place_of_least(load));
    return l;
  }

  /// In the order of \p order, each on the thread where it can start first, as long as that thread
  /// has room left in a progress.
  constexpr layout earliest_first(const list<std::size_t>& order, const list<long long>& earliest) {
    list<long long> starts(earliest);
    long long* const start = starts.data();
    layout l = pinned_only(order);
    list<long long> loads = pinned_loads();
    const long long* const load = loads.data();
    list<long long> ends(p_->threads, 0);
    long long* const free_at = ends.data();
    const ratio rate = p_->bound;
    for (const std::size_t n : order) {
      for (std::size_t a = into_[n].first; a < into_[n].last; ++a) {
        const timing::arc& arc = arcs_[a];
        start[n] = larger(start[n], start[arc.from] + weight_[arc.from] * rate.progresses -
                                        arc.delta * rate.time);
      }
      if (l.thread_of[n] == none) {
        std::size_t best = none;
        bool best_fits = false;
        const long long own = unit_weight(n);
        for (std::size_t t = 0; t < p_->threads; ++t) {
          const bool fits = (load[t] + own) * rate.progresses <= rate.time;
          if (best != none && best_fits && !fits) continue;
          const long long here = larger(free_at[t], start[n]);
          const long long there = best == none ? 0 : larger(free_at[best], start[n]);
          const bool earlier = best == none || (fits && !best_fits) ||
                               (fits ? here < there || (here == there && free_at[t] > free_at[best])
                                     : load[t] < load[best]);
          if (!earlier) continue;
          best = t;
          best_fits = fits;
        }
        put(l, loads, n, best);
      }
      const std::size_t t = l.thread_of[n];
      start[n] = larger(start[n], free_at[t]);
      free_at[t] = start[n] + weight_[n] * rate.progresses;
    }
    return l;
  }

  constexpr void start() {
    place_.assign(p_->order.size(), 0);
    for (std::size_t i = 0; i < p_->order.size(); ++i) place_[p_->order[i]] = i;
    list<long long> start;
    const list<std::size_t> timed = by_start(start);
    layout l = earliest_first(timed, start);
    take(l);
    for (int rule = 0; rule < 4 && left_ > 0 && p_->bound < now_.period; ++rule) {
      left_ -= 16 * nodes();
      layout other = by_rule(rule, timed, start);  // named: nvcc would not destroy a temporary
      take(other);
    }
    if (left_ > 0) {
      layout whole = whole_streams(timed);
      take(whole);
    }
  }
  constexpr layout by_rule(int rule, const list<std::size_t>& timed, const list<long long>& start) {
    switch (rule) {
      case 0: return in_stages(timed, timed);
      case 1: return in_stages(p_->order, p_->order);
      case 2: return heaviest_first(timed);
      default: return earliest_first(p_->order, start);
    }
  }

  // -- moves

  constexpr bool movable() const {
    for (std::size_t n = 0; n < p_->pinned.size(); ++n)
      if (!is_end(n)) return true;
    return false;
  }

  constexpr bool is_free(std::size_t n) const { return p_->pinned[n] == none; }

  /// The places that a node can take in the order: from the one after its last producer up to the
  /// one before its first consumer, once it is taken out.
  constexpr range window(const list<std::size_t>& order, std::size_t n) {
    for (std::size_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
    range w{1, order.size() - 2};
    for (std::size_t a = into_[n].first; a < into_[n].last; ++a)
      if (arcs_[a].delta == 0) w.first = larger(w.first, position_[arcs_[a].from] + 1);
    for (std::size_t i = next_[n].first; i < next_[n].last; ++i)
      w.last = smaller(w.last, position_[after_[i]] - 1);
    return w;
  }

  static constexpr void relocate(list<std::size_t>& order, std::size_t from, std::size_t to) {
    const std::size_t n = order[from];
    for (; from < to; ++from) order[from] = order[from + 1];
    for (; from > to; --from) order[from] = order[from - 1];
    order[to] = n;
  }

  /// Tries a node on a thread, at every place of its chain.
  constexpr bool try_on(std::size_t n, std::size_t thread, bool fewer_only) {
    const bool stays = now_.thread_of[n] == thread;
    list<std::size_t> threads(now_.thread_of);
    if (!stays) {
      for (const std::size_t m : members(n)) threads[m] = thread;
      left_ -= 2 * nodes();
      const list<long long> all = loads(threads);
      const ratio load{all[thread], 1};
      if (now_.period < load || (!fewer_only && load == now_.period)) return false;
      if (fewer_only) {
        left_ -= static_cast<long long>(p_->edges.arcs.size());
        if (crossings(threads) >= now_.crossings) return false;
      }
    }
    const range w = window(now_.order, n);
    left_ -= nodes();
    const std::size_t from = position_[n];
    bool fresh = true;  // a place of the chain not tried yet
    for (std::size_t to = w.first; to <= w.last && left_ > 0; ++to) {
      // Where it would stand right behind another node of the chain, or first of them.
      const std::size_t behind = now_.order[to <= from ? to - 1 : to];
      fresh = fresh || threads[behind] == thread;
      if (!fresh) continue;
      if (stays && to == from) {
        fresh = false;
        continue;
      }
      layout candidate;
      candidate.order = now_.order;
      candidate.thread_of = threads;
      relocate(candidate.order, from, to);
      if (take(candidate)) return true;
      fresh = false;
    }
    return false;
  }

  /// The last thread worth trying: of empty workers, one is like the other.
  constexpr std::size_t threads_worth_trying() const {
    list<char> used(p_->threads, 0);
    for (const std::size_t t : now_.thread_of) used[t] = 1;
    std::size_t last = p_->named;
    while (last < p_->threads && used[last] != 0) ++last;
    return smaller(last + 1, p_->threads);
  }

  constexpr bool try_swap(std::size_t a, std::size_t b) {
    layout candidate;
    candidate.order = now_.order;
    candidate.thread_of = now_.thread_of;
    for (const std::size_t m : members(a)) candidate.thread_of[m] = now_.thread_of[b];
    for (const std::size_t m : members(b)) candidate.thread_of[m] = now_.thread_of[a];
    const list<long long> load = loads(candidate.thread_of);
    left_ -= 3 * nodes();
    if (!(ratio{load[now_.thread_of[a]], 1} < now_.period) ||
        !(ratio{load[now_.thread_of[b]], 1} < now_.period))
      return false;
    return take(candidate);
  }

  /// One step that makes the current layout better, if there is one.
  constexpr bool step() {
    const std::size_t threads = threads_worth_trying();
    const list<std::size_t> critical(critical_);
    if (p_->bound < now_.period) {
      for (const std::size_t n : critical) {
        if (is_end(n)) continue;
        // Of a thread that has too much to do, another order is no help.
        for (std::size_t t = 0; t < threads && left_ > 0; ++t)
          if ((t == now_.thread_of[n] ? !overloaded_ : is_free(n)) && try_on(n, t, false))
            return true;
      }
      for (const std::size_t a : critical) {
        if (is_end(a) || !is_free(a)) continue;
        for (const std::size_t b : p_->order)
          if (left_ > 0 && !is_end(b) && is_free(b) && now_.thread_of[a] != now_.thread_of[b] &&
              try_swap(a, b))
            return true;
      }
    }
    for (const std::size_t n : p_->order) {
      if (is_end(n) || !is_free(n)) continue;
      for (std::size_t t = 0; t < threads && left_ > 0; ++t)
        if (t != now_.thread_of[n] && try_on(n, t, true)) return true;
    }
    return false;
  }

  constexpr void improve() {
    while (left_ > 0 && step()) {
    }
  }

  constexpr std::size_t random(std::size_t below) {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((random_ >> 33) % below);
  }

  /// Moves a few nodes anywhere they may be.
  constexpr void disturb() {
    layout l = now_;
    for (std::size_t moves = 2 + random(3); moves > 0; --moves) {
      const std::size_t n = l.order[1 + random(p_->order.size() - 2)];
      if (is_free(n)) {
        const std::size_t thread = random(p_->threads);
        for (const std::size_t m : members(n)) l.thread_of[m] = thread;
      }
      const range w = window(l.order, n);
      relocate(l.order, position_[n], w.first + random(w.last - w.first + 1));
    }
    evaluate(l, no_limit, critical_);
    now_ = l;
  }

  const layout_problem* p_;
  // Of the problem; raw pointers here and below, because a compiler takes a call per access for
  // anything else.
  const long long* weight_;
  const timing::arc* arcs_;
  const range* into_;
  long long left_;
  period_finder finder_;
  list<range> of_unit_;         // into grouped_
  list<std::size_t> grouped_;   // nodes by unit
  list<range> next_;            // by node, into after_
  list<std::size_t> after_;     // consumers where delta is 0
  list<std::size_t> place_;     // by node: in the plan's order
  list<std::size_t> position_;  // by node: in the order looked at last
  layout now_;
  list<std::size_t> critical_;  // the nodes that determine its period
  bool overloaded_ = false;     // they are all that their thread has to do
  unsigned long long random_ = 1;
};

}  // namespace stretto::planner
