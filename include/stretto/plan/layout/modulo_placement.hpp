// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/plan/layout/modulo_problem.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::planner {

/// For how many tasks a compiler looks for a schedule.
inline constexpr std::size_t most_scheduled = 32;

/// When tasks start in one batch's own time, and on which threads. In progresses of `period` each,
/// a task is as far ahead as that says.
struct modulo_placed {
  std::array<long long, most_scheduled> start{};
  std::array<std::size_t, most_scheduled> thread{};
  long long period = 1;
  int in_flight = 1;

  constexpr int ahead(std::size_t t) const {
    return in_flight - 1 - static_cast<int>(start[t] / period);
  }
};

/// Places tasks in a period, those with the least time to spare first, and takes back who is in the
/// way (B. Rau, Iterative modulo scheduling, 1994). With raw pointers and few statements, because
/// compilers count those.
class modulo_placement {
 public:
  explicit constexpr modulo_placement(const modulo_problem& p)
      : p_(&p),
        tasks_(p.tasks()),
        into_(p.nodes(), range{}),
        out_(p.nodes(), range{}),
        rank_(p.tasks(), 0),
        key_(p.tasks(), 0),
        earliest_(p.tasks(), 0),
        latest_(p.tasks(), 0),
        last_(p.tasks(), 0),
        busy_(p.tasks(), {}) {
    list<modulo_problem::arc> all = p.by_batch();
    const std::size_t given = all.size();
    for (const modulo_problem::slot& s : p.slot_list)
      for (std::size_t i = s.readers.first; i < s.readers.last; ++i)
        all.push_back({p.readers[i].node, s.writer, plenty});
    reused_.reserve(all.size() - given);
    const std::size_t count = all.size();
    const modulo_problem::arc* const arcs = all.data();
    for (std::size_t i = 0; i < count; ++i) {
      ++into_[arcs[i].to].last;
      ++out_[arcs[i].from].last;
    }
    link* const froms = froms_.overwrite(lay_out(into_));
    link* const tos = tos_.overwrite(lay_out(out_));
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= given) reused_.push_back({into_[arcs[i].to].last, out_[arcs[i].from].last});
      froms[into_[arcs[i].to].last++] = {arcs[i].from, arcs[i].ago};
      tos[out_[arcs[i].from].last++] = {arcs[i].to, arcs[i].ago};
    }
    sort_batch();
    find_slots();
  }

  /// Whether there is a place for all tasks in \p period with \p in_flight batches in flight,
  /// without more than \p evictions. \p variant 0 goes by the time that tasks have; others stray
  /// from that. Each second one places from the end of a batch to its beginning.
  constexpr bool place(long long period, int in_flight, int evictions, unsigned variant,
                       const modulo_placed* like = nullptr) {
    at_.period = period;
    at_.in_flight = in_flight;
    span_ = in_flight * period;
    work_ += static_cast<long long>(50 + 4 * tasks_);
    if (!find_windows()) return false;
    turned_ = variant % 2 == 1;
    const modulo_problem& p = *p_;
    const long long* const weight = p.weight.data();
    if (turned_) turn_windows();
    for (std::size_t t = 0; t < tasks_; ++t) {
      at_.start[t] = last_[t] = unplaced;
      if (like == nullptr) {
        key_[t] = latest_[t] + spread(variant / 2, t, period / 4 * (variant / 2 % 8));
      } else {
        const long long was =
            like->start[t] * period / like->period + (in_flight - like->in_flight) * period;
        key_[t] = (turned_ ? span_ - weight[t] - was : was) +
                  spread(variant, t, period / 16 * (variant / 2 % 8));
      }
    }
    for (;;) {
      const std::size_t t = most_urgent();
      if (t == none) break;
      if (!place(t, evictions)) return false;
    }
    if (turned_) {
      turn_windows();
      for (std::size_t t = 0; t < tasks_; ++t) at_.start[t] = span_ - weight[t] - at_.start[t];
      turned_ = false;
    }
    return true;
  }

  /// Slots get no more copies than that from now on; as many as there may be if there are none.
  constexpr void give(const list<int>& copies) {
    const modulo_problem& p = *p_;
    for (std::size_t s = 0; s < p.slot_list.size(); ++s)
      for (std::size_t i = p.slot_list[s].readers.first; i < p.slot_list[s].readers.last; ++i) {
        const int ago = copies.empty() ? plenty : copies[s] - p.readers[i].ago;
        froms_[reused_[i].first].ago = ago;
        tos_[reused_[i].last].ago = ago;
      }
    work_ += static_cast<long long>(reused_.size());
  }

  /// Moves tasks later, towards those that they are for, and earlier, where copies get fewer.
  constexpr void save_copies() {
    for (int round = 0; round < 2; ++round) {
      bool moved = false;
      for (std::size_t k = tasks_; k > 0; --k) moved |= move(batch_[k - 1], true);
      for (std::size_t k = 0; k < tasks_; ++k) moved |= move(batch_[k], false);
      if (!moved) return;
    }
  }

  /// How many copies of a slot the start times need.
  constexpr int copies(const modulo_placed& at, const modulo_problem::slot& s) const {
    const modulo_problem& p = *p_;
    const bool pulled = s.writer >= tasks_;
    const long long written = pulled ? 0 : at.start[s.writer];
    const int written_ahead = pulled ? at.in_flight - 1 : at.ahead(s.writer);
    int most = 1;
    for (std::size_t i = s.readers.first; i < s.readers.last; ++i) {
      const modulo_problem::reader& r = p.readers[i];
      const bool delivered = r.node >= tasks_;
      const long long end =
          delivered ? at.in_flight * at.period : at.start[r.node] + p.weight[r.node];
      const int apart = written_ahead - (delivered ? 0 : at.ahead(r.node)) + 1;
      const int lasting = static_cast<int>((end - written + at.period - 1) / at.period);
      most = larger(most, larger(apart, lasting) + r.ago);
    }
    return most;
  }

  /// Some number from 0 to \p most, the same everywhere.
  static constexpr long long spread(unsigned variant, std::size_t item, long long most) {
    std::uint64_t x = (std::uint64_t{variant} << 32U) + item + 1;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    x ^= x >> 31U;
    return static_cast<long long>(x % (static_cast<std::uint64_t>(most) + 1));
  }

  constexpr const modulo_placed& placed() const { return at_; }
  /// A measure of work that is the same everywhere.
  constexpr long long work() const { return work_; }
  /// Tasks in an order in which those that come later on the same batch are later.
  constexpr const list<std::size_t>& batch() const { return batch_; }
  constexpr std::size_t rank(std::size_t t) const { return rank_[t]; }

 private:
  struct link {
    std::size_t node;
    int ago;
  };
  struct interval {
    long long start;  // less than the period
    long long weight;
  };
  static constexpr long long unplaced = -1;
  static constexpr int plenty = 1'000;

  /// The slots of each task.
  constexpr void find_slots() {
    const modulo_problem& p = *p_;
    touched_.assign(p.nodes(), range{});
    for (int pass = 0; pass < 2; ++pass) {
      if (pass == 1) slots_.assign(lay_out(touched_), 0);
      for (std::size_t i = 0; i < p.slot_list.size(); ++i) {
        const modulo_problem::slot& s = p.slot_list[i];
        for (std::size_t k = s.readers.first; k <= s.readers.last; ++k) {
          range& r = touched_[k < s.readers.last ? p.readers[k].node : s.writer];
          if (pass == 1) slots_[r.last] = i;
          ++r.last;
        }
      }
    }
  }
  constexpr void sort_batch() {
    list<std::size_t> missing(tasks_, 0);
    for (std::size_t t = 0; t < tasks_; ++t)
      for (std::size_t i = into_[t].first; i < into_[t].last; ++i)
        if (froms_[i].ago == 0 && froms_[i].node < tasks_) ++missing[t];
    batch_.reserve(tasks_);
    for (std::size_t t = 0; t < tasks_; ++t)
      if (missing[t] == 0) batch_.push_back(t);
    for (std::size_t k = 0; k < batch_.size(); ++k) {
      const range to = out_[batch_[k]];
      for (std::size_t i = to.first; i < to.last; ++i)
        if (tos_[i].ago == 0 && tos_[i].node < tasks_ && --missing[tos_[i].node] == 0)
          batch_.push_back(tos_[i].node);
    }
    for (std::size_t k = 0; k < batch_.size(); ++k) rank_[batch_[k]] = k;
  }

  /// When tasks can start at the earliest, and have to at the latest, if nothing is in the way.
  constexpr bool find_windows() {
    const modulo_problem& p = *p_;
    const long long period = at_.period;
    const long long* const weight = p.weight.data();
    long long* const earliest = earliest_.data();
    long long* const latest = latest_.data();
    const link* const froms = froms_.data();
    const link* const tos = tos_.data();
    const std::size_t pull = p.pull();
    for (std::size_t t = 0; t < tasks_; ++t) {
      const long long first = at_.in_flight - 1 - p.most[t];
      const long long last = (at_.in_flight - p.least[t]) * period - 1;
      earliest[t] = larger(weight[pull], first * period);
      latest[t] = smaller(span_ - weight[t], last);
    }
    for (int round = 0;; ++round) {
      bool grew = false;
      work_ += static_cast<long long>(2 * tasks_ + froms_.size() + tos_.size());
      for (std::size_t k = 0; k < tasks_; ++k) {
        const std::size_t t = batch_[k];
        long long from = earliest[t];
        const range r = into_[t];
        for (std::size_t i = r.first; i < r.last; ++i) {
          const std::size_t n = froms[i].node;
          const long long end = n < tasks_  ? earliest[n] + weight[n]
                                : n == pull ? weight[n]
                                            : span_;
          from = larger(from, end - froms[i].ago * period);
        }
        if (from > earliest[t]) {
          earliest[t] = from;
          grew = true;
        }
      }
      for (std::size_t k = tasks_; k > 0; --k) {
        const std::size_t t = batch_[k - 1];
        long long to = latest[t];
        const range r = out_[t];
        for (std::size_t i = r.first; i < r.last; ++i) {
          const std::size_t n = tos[i].node;
          const long long start = n < tasks_ ? latest[n] : n == pull ? 0 : span_;
          to = smaller(to, start + tos[i].ago * period - weight[t]);
        }
        if (to < latest[t]) {
          latest[t] = to;
          grew = true;
        }
        if (earliest[t] > to) return false;
      }
      if (!grew) return true;
      if (round == 64) return false;
    }
  }

  constexpr void turn_windows() {
    const long long* const weight = p_->weight.data();
    for (std::size_t t = 0; t < tasks_; ++t)
      earliest_[t] = span_ - weight[t] - replace(latest_[t], span_ - weight[t] - earliest_[t]);
  }
  constexpr std::size_t most_urgent() {
    const long long* const start = at_.start.data();
    const long long* const key = key_.data();
    std::size_t best = none;
    for (std::size_t k = 0; k < tasks_; ++k) {
      const std::size_t t = batch_[turned_ ? tasks_ - 1 - k : k];
      if (start[t] == unplaced && (best == none || key[t] < key[best])) best = t;
    }
    work_ += static_cast<long long>(tasks_);
    return best;
  }

  constexpr bool place(std::size_t t, int& evictions) {
    const modulo_problem& p = *p_;
    const long long period = at_.period;
    const long long* const weight = p.weight.data();
    const long long* const start = at_.start.data();
    const list<link>& before = turned_ ? tos_ : froms_;
    const list<link>& after = turned_ ? froms_ : tos_;
    const range b = turned_ ? out_[t] : into_[t];
    const range a = turned_ ? into_[t] : out_[t];
    long long from = earliest_[t];
    long long to = latest_[t];
    for (std::size_t i = b.first; i < b.last; ++i) {
      const std::size_t n = before[i].node;
      if (n >= tasks_ || start[n] == unplaced || n == t) continue;
      from = larger(from, start[n] + weight[n] - before[i].ago * period);
    }
    for (std::size_t i = a.first; i < a.last; ++i) {
      const std::size_t n = after[i].node;
      if (n >= tasks_ || start[n] == unplaced || n == t) continue;
      to = smaller(to, start[n] + after[i].ago * period - weight[t]);
    }
    work_ += static_cast<long long>(b.last - b.first + a.last - a.first + 2);
    if (from > latest_[t]) return false;
    find_residues(t);

    const bool free = p.thread[t] == none;
    const std::size_t first = free ? 0 : p.thread[t];
    const std::size_t last = free ? p.offered : p.thread[t] + 1;
    long long best = -1;
    std::size_t on = none;
    for (std::size_t j = first; j < last; ++j) {
      const long long found = first_free(t, j, from, best < 0 ? to : best - 1);
      if (found < 0) continue;
      best = found;
      on = j;
    }
    if (best < 0) {
      if (--evictions < 0) return false;
      best = last_[t] < from ? from : last_[t] + 1;
      if (best > latest_[t]) return false;
      on = least_lost(t, best, first, last);
      evict(t, best, on, b, a);
    }
    at_.start[t] = last_[t] = best;
    at_.thread[t] = on;
    return true;
  }

  constexpr long long bytes_around(std::size_t t) {
    long long all = 0;
    for (std::size_t i = touched_[t].first; i < touched_[t].last; ++i) {
      const modulo_problem::slot& s = p_->slot_list[slots_[i]];
      all += s.bytes * copies(at_, s);
      work_ += static_cast<long long>(2 + s.readers.last - s.readers.first);
    }
    return all;
  }
  constexpr bool move(std::size_t t, bool later) {
    const modulo_problem& p = *p_;
    const long long period = at_.period;
    long long* const start = at_.start.data();
    if (touched_[t].first == touched_[t].last) return false;
    long long from = earliest_[t];
    long long to = latest_[t];
    for (std::size_t i = into_[t].first; i < into_[t].last; ++i)
      if (const std::size_t n = froms_[i].node; n < tasks_ && n != t)
        from = larger(from, start[n] + p.weight[n] - froms_[i].ago * period);
    for (std::size_t i = out_[t].first; i < out_[t].last; ++i)
      if (const std::size_t n = tos_[i].node; n < tasks_ && n != t)
        to = smaller(to, start[n] + tos_[i].ago * period - p.weight[t]);
    work_ += static_cast<long long>(into_[t].last - into_[t].first + out_[t].last - out_[t].first);
    if (from == to) return false;
    const long long was = start[t];
    const std::size_t on = at_.thread[t];
    const long long bytes = bytes_around(t);
    start[t] = unplaced;
    find_residues(t);
    long long best_bytes = bytes;
    long long best = was;
    std::size_t best_on = on;
    const bool free = p.thread[t] == none;
    const std::size_t first = free ? 0 : p.thread[t];
    const std::size_t last = free ? p.offered : p.thread[t] + 1;
    // Between two periods, as few copies as there can be: at the end and at the begin of each.
    for (long long k = from / period; k <= to / period; ++k) {
      const long long low = larger(from, k * period);
      const long long high = smaller(to, (k + 1) * period - 1);
      for (std::size_t j = first; j < last; ++j) {
        const long long at = first_free(t, j, low, high);
        if (at < 0) continue;
        start[t] = at;
        const long long now = bytes_around(t);
        start[t] = unplaced;
        if (now > best_bytes || (now == best_bytes && (later ? at <= best : at >= best))) continue;
        best_bytes = now;
        best = at;
        best_on = j;
      }
    }
    start[t] = best;
    at_.thread[t] = best_on;
    return best_bytes < bytes;
  }

  /// Where in a progress a task may start, for those that it has to come after and before in each.
  constexpr void find_residues(std::size_t t) {
    const modulo_problem& p = *p_;
    const long long period = at_.period;
    low_ = 0;
    high_ = period - 1;
    for (const modulo_problem::arc& x : p.progresses) {
      const std::size_t from = turned_ ? x.to : x.from;
      const std::size_t to = turned_ ? x.from : x.to;
      if (from != t && to != t) continue;
      const std::size_t other = from == t ? to : from;
      long long at = 0;
      if (other < tasks_) {
        if (at_.start[other] == unplaced) continue;
        at = at_.start[other] % period;
      } else if ((other == p.pull()) == turned_) {
        at = period - p.weight[other];
      }
      if (to == t)
        low_ = larger(low_, at + p.weight[other] - x.ago * period);
      else
        high_ = smaller(high_, at + x.ago * period - p.weight[t]);
      work_ += 4;
    }
  }

  constexpr bool share(std::size_t t, std::size_t thread, std::size_t u) const {
    return at_.thread[u] == thread || (p_->holds[t] & p_->holds[u]) != 0;
  }

  /// The first time from \p from on at which a task can run on a thread; not after \p to, or -1.
  constexpr long long first_free(std::size_t t, std::size_t thread, long long from, long long to) {
    const long long period = at_.period;
    const long long* const start = at_.start.data();
    const long long* const weights = p_->weight.data();
    const long long weight = weights[t];
    interval* const busy = busy_.data();
    std::size_t held = 0;
    if (weight > 0)
      for (std::size_t u = 0; u < tasks_; ++u)
        if (start[u] != unplaced && weights[u] > 0 && share(t, thread, u))
          busy[held++] = {start[u] % period, weights[u]};
    work_ += static_cast<long long>(tasks_ + held);
    const long long stop = smaller(to, from + period - 1);
    long long at = from;
    std::size_t passed = 0;
    for (std::size_t i = 0; at <= stop;) {
      const long long now = at % period;
      if (now < low_ || now > high_) {
        if (low_ > high_) return -1;
        at += now < low_ ? low_ - now : period - now + low_;
        passed = 0;
        continue;
      }
      if (passed == held) return at;
      const long long later = busy[i].start - now + (busy[i].start < now ? period : 0);
      const long long end = later + busy[i].weight;
      ++passed;
      if (end > period) {
        at += end - period;
        passed = 0;
      } else if (later < weight) {
        at += end;
        passed = 0;
      }
      i = i + 1 == held ? 0 : i + 1;
      ++work_;
    }
    return -1;
  }

  constexpr bool meets(std::size_t t, long long at, std::size_t u) const {
    const long long period = at_.period;
    const long long now = at % period;
    const long long start = at_.start[u] % period;
    const long long later = start - now + (start < now ? period : 0);
    return p_->weight[u] > 0 && p_->weight[t] > 0 &&
           (later < p_->weight[t] || later + p_->weight[u] > period);
  }
  constexpr std::size_t least_lost(std::size_t t, long long at, std::size_t first,
                                   std::size_t last) {
    std::size_t best = first;
    long long least = -1;
    for (std::size_t j = first; j < last; ++j) {
      long long lost = 0;
      for (std::size_t u = 0; u < tasks_; ++u)
        if (at_.start[u] != unplaced && share(t, j, u) && meets(t, at, u)) lost += p_->weight[u];
      work_ += static_cast<long long>(2 * tasks_);
      if (least >= 0 && lost >= least) continue;
      least = lost;
      best = j;
    }
    return best;
  }
  constexpr void evict(std::size_t t, long long at, std::size_t on, range b, range a) {
    const modulo_problem& p = *p_;
    const long long period = at_.period;
    long long* const start = at_.start.data();
    const list<link>& before = turned_ ? tos_ : froms_;
    const list<link>& after = turned_ ? froms_ : tos_;
    for (std::size_t u = 0; u < tasks_; ++u)
      if (start[u] != unplaced && share(t, on, u) && meets(t, at, u)) start[u] = unplaced;
    for (std::size_t i = b.first; i < b.last; ++i) {
      const std::size_t n = before[i].node;
      if (n < tasks_ && start[n] != unplaced &&
          start[n] + p.weight[n] - before[i].ago * period > at)
        start[n] = unplaced;
    }
    for (std::size_t i = a.first; i < a.last; ++i) {
      const std::size_t n = after[i].node;
      if (n < tasks_ && start[n] != unplaced && at + p.weight[t] - after[i].ago * period > start[n])
        start[n] = unplaced;
    }
    for (const modulo_problem::arc& x : p.progresses) {
      const std::size_t other = x.from == t ? x.to : x.from;
      if ((x.from == t || x.to == t) && other < tasks_) start[other] = unplaced;
    }
    work_ += static_cast<long long>(2 * tasks_ + b.last - b.first + a.last - a.first);
  }

  const modulo_problem* p_;
  std::size_t tasks_;
  list<range> into_;
  list<range> out_;
  list<link> froms_;
  list<link> tos_;
  list<range> reused_;  // where the links from readers to writers are
  list<range> touched_;
  list<std::size_t> slots_;
  list<std::size_t> batch_;
  list<std::size_t> rank_;
  list<long long> key_;
  list<long long> earliest_;
  list<long long> latest_;
  list<long long> last_;
  list<interval> busy_;
  modulo_placed at_{};
  long long span_ = 0;
  bool turned_ = false;
  long long low_ = 0;
  long long high_ = 0;
  long long work_ = 0;
};

}  // namespace stretto::planner
