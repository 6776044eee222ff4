// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/model.hpp>
#include <stretto/search/problem.hpp>
#include <utility>
#include <vector>

namespace stretto::search::detail {

/// Who holds a thread or a resource when, in a period that repeats.
class occupancy {
 public:
  struct held {
    long long start;  // less than the period
    long long weight;
    number task;
  };

  void reset(long long period) {
    period_ = period;
    held_.clear();
  }
  /// The first time from \p from on at which it is free for \p weight; less than a period later, or
  /// -1.
  long long first_free(long long from, long long weight, long long& steps) const {
    if (held_.empty()) return from;
    const long long at = from % period_;
    const std::size_t count = held_.size();
    std::size_t next = after(at);  // the first that starts later
    // When the one before ends, as of `at`.
    const held& before = held_[(next + count - 1) % count];
    long long free = before.start + before.weight - at - (next == 0 ? period_ : 0);
    if (free < 0) free = 0;
    for (std::size_t i = 0; i <= count; ++i) {
      ++steps;
      const std::size_t k = next + i;
      const held& h = held_[k % count];
      const long long start = h.start - at + static_cast<long long>(k / count) * period_;
      if (free >= period_) return -1;
      if (start - free >= weight) return from + free;
      free = start + h.weight;
    }
    return -1;
  }
  /// Of those that hold it then, calls \p each with the task. Of as many as could be of a period.
  template <class Each>
  void each_at(long long from, long long weight, Each each) const {
    const long long at = from % period_;
    for (const held& h : held_) {
      const long long later = h.start >= at ? h.start - at : h.start - at + period_;
      if (later < weight || later + h.weight > period_) each(h);
    }
  }
  void hold(long long from, long long weight, number task) {
    if (weight == 0) return;
    const long long at = from % period_;
    held_.insert(held_.begin() + static_cast<std::ptrdiff_t>(after(at)), {at, weight, task});
  }
  void release(long long from, number task) {
    const long long at = from % period_;
    for (std::size_t i = after(at); i > 0 && held_[i - 1].start == at; --i)
      if (held_[i - 1].task == task) {
        held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i - 1));
        return;
      }
  }

 private:
  std::size_t after(long long at) const {
    const auto later = std::upper_bound(held_.begin(), held_.end(), at,
                                        [](long long a, const held& h) { return a < h.start; });
    return static_cast<std::size_t>(later - held_.begin());
  }

  long long period_ = 1;
  std::vector<held> held_;  // by start
};

/// Places tasks in a period, those with the least time to spare first, and takes back who is in the
/// way (B. Rau, Iterative modulo scheduling, 1994; R. Huff, Lifetime-sensitive modulo scheduling,
/// 1993). No proof, but fast: for many tasks.
class placement {
 public:
  explicit placement(const problem& p) : p_(&p), batch_(order_of_a_batch(p)) {
    into_.resize(p.nodes());
    out_.resize(p.nodes());
    const auto add = [&](number from, number to, int ago) {
      if (from == to) return;
      into_[to].push_back({from, ago});
      out_[from].push_back({to, ago});
    };
    for (const problem::slot& s : p.slot_list)
      for (const auto& r : s.readers) add(s.writer, r.node, r.ago);
    for (const problem::arc& a : p.arcs) add(a.from, a.to, a.ago);
    for (number t = 0; t < p.tasks.size(); ++t) {
      add(p.pull(), t, 0);
      add(t, p.deliver(), 0);
    }
  }

  /// Whether there is a place for all tasks in a period of so much, without more than \p evictions.
  /// \p variant 0 goes by the time that tasks have; others stray from that, each in its own way.
  bool place(long long period, long long evictions, number variant = 0) {
    const problem& p = *p_;
    period_ = period;
    if (!find_windows()) return false;
    held_.resize(std::size_t{p.threads} + p.resources);
    for (occupancy& o : held_) o.reset(period);
    start_.assign(p.nodes(), unplaced);
    start_[p.pull()] = 0;
    thread_.assign(p.tasks.size(), no_number);
    last_.assign(p.tasks.size(), -1);
    std::priority_queue<std::pair<long long, number>, std::vector<std::pair<long long, number>>,
                        std::greater<>>
        waiting;
    std::vector<number> rank(p.tasks.size(), 0);
    for (number i = 0; i < batch_.size(); ++i) rank[batch_[i]] = i;
    const auto wait = [&](number t) {
      const long long stray = variant == 0 ? 0 : spread(variant, t, period / 4 * (variant % 8));
      waiting.emplace((latest_[t] + stray) * static_cast<long long>(p.nodes()) + rank[t], t);
    };
    for (number t = 0; t < p.tasks.size(); ++t) wait(t);
    while (!waiting.empty()) {
      const number t = waiting.top().second;
      waiting.pop();
      if (start_[t] != unplaced) continue;
      long long from = earliest_[t];
      long long to = latest_[t];
      for (const link& l : into_[t])
        if (start_[l.node] != unplaced)
          from = (std::max)(from, start_[l.node] + p.weight(l.node) - l.ago * period_);
      if (from > latest_[t]) return false;
      for (const link& l : out_[t])
        if (l.node != p.deliver() && start_[l.node] != unplaced)
          to = (std::min)(to, start_[l.node] + l.ago * period_ - p.weight(t));
      if (fit(t, from, to)) continue;
      if (--evictions < 0) return false;
      const long long at = last_[t] < from ? from : last_[t] + 1;
      if (at > latest_[t]) return false;
      force(t, at, wait);
    }
    return true;
  }

  /// Moves tasks later, towards those that they are for, and earlier, as long as copies get fewer.
  void save_copies(long long steps) {
    const long long stop = steps_ + steps;
    const problem& p = *p_;
    written_.assign(p.nodes(), {});
    read_.assign(p.nodes(), {});
    for (number s = 0; s < p.slot_list.size(); ++s) {
      written_[p.slot_list[s].writer].push_back(s);
      for (const auto& r : p.slot_list[s].readers) read_[r.node].push_back(s);
    }
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i = batch_.size(); i > 0 && steps_ < stop; --i)
        moved |= move(batch_[i - 1], true);
      for (std::size_t i = 0; i < batch_.size() && steps_ < stop; ++i)
        moved |= move(batch_[i], false);
    }
  }

  placed found() const {
    const problem& p = *p_;
    placed at;
    at.period = {period_, 1};
    at.start = start_;
    at.in_flight = p.in_flight;
    for (number t = 0; t < p.tasks.size(); ++t)
      at.ahead.push_back(p.in_flight - 1 - static_cast<int>(start_[t] / period_));
    at.thread = thread_;
    at.start[p.deliver()] = p.in_flight * period_;
    return at;
  }
  long long steps() const { return steps_; }

 private:
  struct link {
    number node;
    int ago;
  };
  static constexpr long long unplaced = -1;

  /// Some number from 0 to \p most, the same on every machine.
  static long long spread(number variant, number task, long long most) {
    std::uint64_t x = (std::uint64_t{variant} << 32U) + task + 1;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    x ^= x >> 31U;
    return static_cast<long long>(x % (static_cast<std::uint64_t>(most) + 1));
  }

  /// When tasks can start at the earliest, and have to at the latest, if nothing is in the way.
  bool find_windows() {
    const problem& p = *p_;
    const std::size_t tasks = p.tasks.size();
    earliest_.assign(p.nodes(), 0);
    latest_.assign(p.nodes(), 0);
    for (number t = 0; t < tasks; ++t) {
      earliest_[t] = (std::max)(p.pull_weight, (p.in_flight - 1 - p.most_ahead(t)) * period_);
      latest_[t] = (std::min)(p.in_flight * period_ - p.tasks[t].weight,
                              (p.in_flight - p.tasks[t].least) * period_ - 1);
    }
    bool grew = true;
    for (int round = 0; grew && round < 64; ++round) {
      grew = false;
      for (const number t : batch_)
        for (const link& l : into_[t]) {
          if (l.node >= tasks) continue;
          const long long from = earliest_[l.node] + p.tasks[l.node].weight - l.ago * period_;
          if (from <= earliest_[t]) continue;
          earliest_[t] = from;
          grew = true;
        }
      for (std::size_t i = tasks; i > 0; --i) {
        const number t = batch_[i - 1];
        for (const link& l : out_[t]) {
          if (l.node >= tasks) continue;
          const long long to = latest_[l.node] + l.ago * period_ - p.tasks[t].weight;
          if (to >= latest_[t]) continue;
          latest_[t] = to;
          grew = true;
        }
      }
      for (number t = 0; t < tasks; ++t)
        if (earliest_[t] > latest_[t]) return false;
    }
    return !grew;
  }

  template <class Each>
  void each_thread(number t, Each each) const {
    const problem::task& task = p_->tasks[t];
    if (!task.host)
      each(no_number);
    else if (task.thread != no_number)
      each(task.thread);
    else
      for (number j = 0; j < p_->choices(); ++j) each(j);
  }
  /// All that a task holds besides a thread.
  template <class Each>
  void each_held(number t, number thread, Each each) {
    if (thread != no_number) each(held_[thread]);
    for (const number r : p_->tasks[t].on) each(held_[std::size_t{p_->threads} + r]);
  }
  long long first_free(number t, number thread, long long from, long long to) {
    const long long weight = p_->tasks[t].weight;
    long long at = from;
    if (weight == 0) return at;
    const long long stop = (std::min)(to, from + period_ - 1);
    while (true) {
      long long next = at;
      each_held(t, thread, [&](const occupancy& o) {
        const long long free = next < 0 ? -1 : o.first_free(next, weight, steps_);
        next = free;
      });
      if (next < 0 || next > stop) return -1;
      if (next == at) return at;
      at = next;
    }
  }
  void put(number t, number thread, long long at) {
    start_[t] = last_[t] = at;
    thread_[t] = thread;
    each_held(t, thread, [&](occupancy& o) { o.hold(at, p_->tasks[t].weight, t); });
  }
  void take(number t) {
    each_held(t, thread_[t], [&](occupancy& o) { o.release(start_[t], t); });
    start_[t] = unplaced;
  }
  bool fit(number t, long long from, long long to) {
    long long best = -1;
    number on = no_number;
    each_thread(t, [&](number thread) {
      const long long at = first_free(t, thread, from, best < 0 ? to : best - 1);
      if (at < 0) return;
      best = at;
      on = thread;
    });
    if (best < 0) return false;
    put(t, on, best);
    return true;
  }
  template <class Wait>
  void force(number t, long long at, Wait wait) {
    const problem& p = *p_;
    const long long weight = p.tasks[t].weight;
    number on = no_number;
    long long least = -1;
    each_thread(t, [&](number thread) {
      long long lost = 0;
      each_held(t, thread, [&](const occupancy& o) {
        o.each_at(at, weight, [&](const occupancy::held& h) { lost += h.weight; });
      });
      if (least >= 0 && lost >= least) return;
      least = lost;
      on = thread;
    });
    std::vector<number> out;
    each_held(t, on, [&](const occupancy& o) {
      o.each_at(at, weight, [&](const occupancy::held& h) { out.push_back(h.task); });
    });
    for (const link& l : into_[t])
      if (l.node < p.tasks.size() && start_[l.node] != unplaced &&
          start_[l.node] + p.weight(l.node) - l.ago * period_ > at)
        out.push_back(l.node);
    for (const link& l : out_[t])
      if (l.node < p.tasks.size() && start_[l.node] != unplaced &&
          at + weight - l.ago * period_ > start_[l.node])
        out.push_back(l.node);
    for (const number o : out) {
      if (start_[o] == unplaced) continue;
      take(o);
      wait(o);
    }
    put(t, on, at);
  }

  int ahead(number n) const {
    if (n == p_->pull()) return p_->in_flight - 1;
    return n == p_->deliver() ? 0 : p_->in_flight - 1 - static_cast<int>(start_[n] / period_);
  }
  long long bytes_of(number s) const {
    const problem::slot& slot = p_->slot_list[s];
    long long copies = 1;
    for (const auto& r : slot.readers) {
      const long long end =
          (r.node == p_->deliver() ? p_->in_flight * period_ : start_[r.node] + p_->weight(r.node));
      copies = (std::max)({copies,
                           static_cast<long long>(ahead(slot.writer) - ahead(r.node)) + 1 + r.ago,
                           divided_up(end - start_[slot.writer], period_) + r.ago});
    }
    return copies * slot.bytes;
  }
  long long bytes_around(number t) const {
    long long bytes = 0;
    for (const number s : written_[t]) bytes += bytes_of(s);
    for (const number s : read_[t]) bytes += bytes_of(s);
    return bytes;
  }
  bool move(number t, bool later) {
    const problem& p = *p_;
    long long from = earliest_[t];
    long long to = latest_[t];
    for (const link& l : into_[t])
      from = (std::max)(from, start_[l.node] + p.weight(l.node) - l.ago * period_);
    for (const link& l : out_[t])
      if (l.node != p.deliver())
        to = (std::min)(to, start_[l.node] + l.ago * period_ - p.weight(t));
    const long long was = start_[t];
    const number on = thread_[t];
    const long long bytes = bytes_around(t);
    take(t);
    long long best_bytes = bytes;
    long long best = was;
    number best_on = on;
    // Between two periods, as few copies as there can be: at the end and at the begin of each.
    for (long long k = from / period_; k <= to / period_; ++k) {
      const long long low = (std::max)(from, k * period_);
      const long long high = (std::min)(to, (k + 1) * period_ - 1);
      each_thread(t, [&](number thread) {
        const long long at = first_free(t, thread, low, high);
        if (at < 0) return;
        start_[t] = at;
        const long long now = bytes_around(t);
        start_[t] = unplaced;
        if (now > best_bytes || (now == best_bytes && (later ? at <= best : at >= best))) return;
        best_bytes = now;
        best = at;
        best_on = thread;
      });
    }
    put(t, best_on, best);
    return best_bytes < bytes;
  }

  const problem* p_;
  std::vector<number> batch_;
  std::vector<std::vector<link>> into_;
  std::vector<std::vector<link>> out_;
  long long period_ = 1;
  std::vector<long long> earliest_;
  std::vector<long long> latest_;
  std::vector<occupancy> held_;
  std::vector<long long> start_;
  std::vector<number> thread_;
  std::vector<long long> last_;  // where a task was placed last
  std::vector<std::vector<number>> written_;
  std::vector<std::vector<number>> read_;
  long long steps_ = 0;
};

}  // namespace stretto::search::detail
