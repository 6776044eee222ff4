// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/plan/layout/period.hpp>
#include <stretto/search/clause_search.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/formula.hpp>
#include <stretto/search/problem.hpp>
#include <utility>
#include <vector>

namespace stretto::search::detail {

/// Tasks in an order in which those that come later on the same batch, or in the same progress,
/// are later. The rest, if there is a circle, comes last.
inline std::vector<number> order_of_a_batch(const problem& p) {
  std::vector<std::vector<number>> after(p.tasks.size());
  std::vector<number> missing(p.tasks.size(), 0);
  const auto add = [&](number from, number to) {
    if (from >= p.tasks.size() || to >= p.tasks.size()) return;
    after[from].push_back(to);
    ++missing[to];
  };
  for (const problem::slot& s : p.slot_list)
    for (const auto& r : s.readers)
      if (r.ago == 0) add(s.writer, r.node);
  for (const problem::arc& a : p.arcs)
    if (a.ago == 0) add(a.from, a.to);
  std::vector<number> order;
  for (number t = 0; t < p.tasks.size(); ++t)
    if (missing[t] == 0) order.push_back(t);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const number t : after[order[i]])
      if (--missing[t] == 0) order.push_back(t);
  for (number t = 0; t < p.tasks.size(); ++t)
    if (missing[t] > 0) order.push_back(t);
  return order;
}

/// When nodes start in one batch's own time, and how many progresses ahead each is.
struct placed {
  std::vector<long long> start{};  ///< by node, in units of 1 / period.progresses
  std::vector<int> ahead{};        ///< by task
  planner::ratio period{};
  int in_flight = 1;
  std::vector<number> thread{};  ///< by task
  std::vector<number> order{};   ///< tasks, in that of a progress; none: by when they start
};

constexpr long long divided_up(long long a, long long b) {
  return a >= 0 ? (a + b - 1) / b : -(-a / b);
}
constexpr long long divided_down(long long a, long long b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// The answer that start times stand for.
inline answer answer_of(const problem& p, const placed& at) {
  answer a;
  a.lookahead = at.ahead;
  a.thread = at.thread;
  a.in_flight = at.in_flight;
  const auto ahead = [&](number n) { return evaluation::ahead(p, a, n); };
  std::vector<number> rank(p.tasks.size());
  const std::vector<number> batch = order_of_a_batch(p);
  for (number i = 0; i < batch.size(); ++i) rank[batch[i]] = i;
  // In one progress; tasks that take no time come before those that start with them.
  const auto in_progress = [&](number t) { return at.start[t] + ahead(t) * at.period.time; };
  std::vector<std::pair<long long, number>> by_start(p.tasks.size());
  for (number t = 0; t < p.tasks.size(); ++t) by_start[t] = {in_progress(t), t};
  std::sort(by_start.begin(), by_start.end(), [&](const auto& x, const auto& y) {
    if (x.first != y.first) return x.first < y.first;
    const bool none_x = p.tasks[x.second].weight == 0;
    const bool none_y = p.tasks[y.second].weight == 0;
    if (none_x != none_y) return none_x;
    return rank[x.second] < rank[y.second];
  });
  for (const auto& [start, t] : by_start) a.order.push_back(t);
  if (!at.order.empty()) a.order = at.order;
  for (const problem::slot& s : p.slot_list) {
    long long most = evaluation::least_copies(p, a, s);
    for (const auto& r : s.readers) {
      p.each_wait(r.node, s.writer, [&](number by, number of) {
        const long long end = at.start[by] + p.weight(by) * at.period.progresses;
        // Where no task takes any time, neither does a progress.
        const long long progress = (std::max)(at.period.time, 1LL);
        most = (std::max)(most, divided_up(end - at.start[of], progress) + r.ago);
      });
    }
    a.copies.push_back(static_cast<int>(most));
  }
  return a;
}

/// A problem as a formula: pairs of tasks that exclude each other come one after the other, so many
/// progresses apart; slots have at most so many copies.
class model {
 public:
  /// \p bytes: also how many bytes copies take, and how few batches in flight there are.
  model(const problem& p, bool bytes) : p_(&p), bytes_(bytes) {
    f_.nodes = p.all_nodes();
    fix_arcs();
    place_threads();
    exclude();
    flight();
    for (const problem::arc& a : p.progresses) together(a);
    if (bytes) count_bytes();
  }
  const formula& asked() const { return f_; }

  /// What `clause_search` found.
  placed found(const clause_search& by, planner::ratio period) const {
    const problem& p = *p_;
    placed at;
    at.period = period;
    const paths& times = by.graph(formula::times);
    const paths& progresses = by.graph(formula::progresses);
    for (number n = 0; n < p.all_nodes(); ++n)
      at.start.push_back(n < p.nodes() || p.submits(p.task_of(n)) ? times.reach(p.pull(), n) : 0);
    const long long last = progresses.reach(p.pull(), p.deliver());
    for (number t = 0; t < p.tasks.size(); ++t)
      at.ahead.push_back(static_cast<int>(last - progresses.reach(p.pull(), t)));
    at.in_flight = static_cast<int>(last + 1);
    at.thread.assign(p.tasks.size(), no_number);
    for (number t = 0; t < p.tasks.size(); ++t) {
      if (!p.tasks[t].host) continue;
      at.thread[t] = pinned(t);
      if (at.thread[t] != no_number) continue;
      for (number j = 0; j < p.choices(); ++j)
        if (on_[t][j] != no_number && by.holds(on_[t][j])) at.thread[t] = j;
    }
    if (p.device) at.order = decided_order(by, at);
    return at;
  }

  /// Has a search try first what an answer says.
  void prefer(clause_search& by, const answer& a) const {
    const problem& p = *p_;
    std::vector<number> place(p.tasks.size());
    for (number i = 0; i < a.order.size(); ++i) place[a.order[i]] = i;
    // Threads that nothing is pinned to have no names: those of the answer, by first use.
    std::vector<number> renamed(p.threads, no_number);
    std::size_t next = 0;
    for (const number t : free_) {
      const number j = a.thread[t];
      if (renamed[j] != no_number) continue;
      renamed[j] = blank_[j] != 0 && next < blanks_.size() ? blanks_[next++] : j;
    }
    for (const number t : free_)
      for (number j = 0; j < p.choices(); ++j)
        if (on_[t][j] != no_number) by.prefer(variable_of(on_[t][j]), renamed[a.thread[t]] == j);
    for (const meaning& m : meanings_) {
      const int distance = evaluation::ahead(p, a, m.first) - evaluation::ahead(p, a, m.second);
      bool holds = false;
      switch (m.kind) {
        case meaning::after:
          holds = distance - (place[m.first] < place[m.second] ? 0 : 1) >= m.count;
          break;
        case meaning::before:
          holds = distance - (place[m.first] < place[m.second] ? 0 : 1) < m.count;
          break;
        case meaning::distance: holds = distance >= m.count; break;
        case meaning::copies: holds = a.copies[m.first] <= m.count; break;
        case meaning::same_thread: holds = a.thread[m.first] == a.thread[m.second]; break;
      }
      by.prefer(m.variable, holds);
    }
  }

 private:
  /// Two tasks whose order is decided: for each number of progresses by one literal that the second
  /// is as much later, at least.
  struct decided_pair {
    number first;
    number second;
    literal same;  ///< none: always
    std::vector<literal> later{};
  };

  /// What is submitted in no time starts when others do, but is in the order that was decided.
  std::vector<number> decided_order(const clause_search& by, const placed& at) const {
    const problem& p = *p_;
    const auto tasks = static_cast<number>(p.tasks.size());
    std::vector<std::vector<number>> after(tasks);
    std::vector<number> missing(tasks, 0);
    const auto add = [&](number from, number to) {
      if (from >= tasks || to >= tasks) return;
      after[from].push_back(to);
      ++missing[to];
    };
    const auto ahead = [&](number n) {
      return n == p.pull() ? at.in_flight - 1 : n == p.deliver() ? 0 : at.ahead[n];
    };
    for (const decided_pair& d : pairs_) {
      if (d.same != no_number && !by.holds(d.same)) continue;
      const int distance = ahead(d.first) - ahead(d.second);
      const bool later = by.holds(d.later[static_cast<std::size_t>(distance + p.in_flight - 1)]);
      later ? add(d.first, d.second) : add(d.second, d.first);
    }
    const auto by_batch = [&](number from, number to, int ago) {
      if (ahead(from) + ago == ahead(to)) add(from, to);
    };
    for (const problem::slot& s : p.slot_list)
      for (const auto& r : s.readers) by_batch(s.writer, r.node, r.ago);
    for (const problem::arc& x : p.arcs) by_batch(x.from, x.to, x.ago);
    for (const problem::arc& x : p.progresses)
      if (x.ago == 0) add(x.from, x.to);
    std::vector<number> order;
    std::vector<char> taken(tasks, 0);
    while (order.size() < tasks) {
      number next = no_number;
      for (const bool free : {true, false})  // engines may ask for a circle: no such order is one
        for (number t = 0; t < tasks && (next == no_number || free); ++t)
          if (taken[t] == 0 && (!free || missing[t] == 0) &&
              (next == no_number || start_in_progress(at, t) < start_in_progress(at, next)))
            next = t;
      taken[next] = 1;
      order.push_back(next);
      for (const number t : after[next]) --missing[t];
    }
    return order;
  }
  static long long start_in_progress(const placed& at, number t) {
    return at.start[t] + at.ahead[t] * at.period.time;
  }

  struct meaning {
    enum what : number { after, before, distance, copies, same_thread };
    what kind;
    number variable;
    number first;
    number second;
    int count;
  };

  number pinned(number t) const {
    if (!p_->tasks[t].host) return no_number;
    if (p_->tasks[t].thread == no_number && p_->choices() == 1) return 0;
    return p_->tasks[t].thread;
  }
  int least_ahead(number n) const {
    if (n == p_->pull()) return bytes_ ? 0 : p_->in_flight - 1;
    return n == p_->deliver() ? 0 : p_->tasks[n].least;
  }
  int most_ahead(number n) const {
    if (n == p_->pull()) return p_->in_flight - 1;
    return n == p_->deliver() ? 0 : p_->most_ahead(n);
  }

  void fix_arcs() {
    const problem& p = *p_;
    const auto after_host = [&](number from, number to, int ago) {
      f_.fix(formula::times, from, to, {p.weight(from), -ago});
      f_.fix(formula::progresses, from, to, {0, -ago});
    };
    const auto after = [&](number from, number to, int ago) {
      p.each_wait(from, to, [&](number by, number of) {
        f_.fix(formula::times, by, of, {p.weight(by), -ago});
      });
      f_.fix(formula::progresses, from, to, {0, -ago});
    };
    for (const problem::slot& s : p.slot_list)
      for (const auto& r : s.readers) after(s.writer, r.node, r.ago);
    for (const problem::arc& a : p.arcs) after(a.from, a.to, a.ago);
    for (number t = 0; t < p.tasks.size(); ++t) {
      after(p.pull(), t, 0);
      after_host(t, p.deliver(), 0);
      after(t, t, 1);
      if (p.submits(t)) after_host(t, p.done(t), 0);
      if (p.submits(t)) f_.fix(formula::progresses, p.done(t), t, {0, 0});
      f_.fix(formula::progresses, t, p.deliver(), {0, p.tasks[t].least});
      f_.fix(formula::progresses, p.deliver(), t, {0, -p.most_ahead(t)});
    }
    after(p.pull(), p.pull(), 1);
    after(p.pull(), p.deliver(), 0);
    f_.fix(formula::times, p.deliver(), p.pull(), {0, -p.in_flight});
    f_.fix(formula::progresses, p.deliver(), p.pull(), {0, 1 - p.in_flight});
    if (!bytes_) f_.fix(formula::progresses, p.pull(), p.deliver(), {0, p.in_flight - 1});
  }

  void place_threads() {
    const problem& p = *p_;
    on_.assign(p.tasks.size(), std::vector<number>(p.threads, no_number));
    blank_.assign(p.threads, 1);
    std::vector<formula::at_most> loads(p.threads);
    for (number t = 0; t < p.tasks.size(); ++t) {
      if (!p.tasks[t].host) continue;
      const number j = pinned(t);
      if (j == no_number) {
        free_.push_back(t);
      } else {
        blank_[j] = 0;
        loads[j].constant += p.tasks[t].weight;
      }
    }
    for (number j = 0; j < p.choices(); ++j)
      if (blank_[j] != 0) blanks_.push_back(j);
    std::sort(free_.begin(), free_.end(), [&](number a, number b) {
      const auto of_a = p.tasks[a].weight;
      const auto of_b = p.tasks[b].weight;
      return of_a != of_b ? of_a > of_b : a < b;
    });
    for (number i = 0; i < free_.size(); ++i) {
      const number t = free_[i];
      std::vector<literal> any_of;
      for (number j = 0; j < p.choices(); ++j) {
        // The first task that is on any blank one is on the first of them, and so on.
        const std::size_t blank = static_cast<std::size_t>(
            std::find(blanks_.begin(), blanks_.end(), j) - blanks_.begin());
        if (blank_[j] != 0 && blank > i) continue;
        on_[t][j] = f_.add();
        for (const literal other : any_of) f_.clause({opposite(other), opposite(on_[t][j])});
        any_of.push_back(on_[t][j]);
        loads[j].terms.push_back({on_[t][j], p.tasks[t].weight});
      }
      f_.clause(any_of);
    }
    for (formula::at_most& l : loads)
      if (!l.terms.empty() || l.constant > 0) f_.sums.push_back(l);
  }

  void exclude() {
    const problem& p = *p_;
    for (number u = 0; u < p.tasks.size(); ++u)
      for (number v = u + 1; v < p.tasks.size(); ++v) {
        const bool on_host = always_exclude(u, v);
        const bool on_device = share(p.tasks[u].engines, p.tasks[v].engines);
        if (on_host || on_device) order(u, v, on_host, on_device);
        if (!on_host && p.tasks[u].host && p.tasks[v].host &&
            (pinned(u) == no_number || pinned(v) == no_number))
          maybe_order(u, v, on_device);
      }
  }
  bool always_exclude(number u, number v) const {
    const problem::task& a = p_->tasks[u];
    const problem::task& b = p_->tasks[v];
    if (a.host && b.host && pinned(u) != no_number && pinned(u) == pinned(v)) return true;
    return share(a.on, b.on);
  }
  /// `v` starts after `u` has ended, `count` periods later.
  void after(literal l, number u, number v, int count) {
    f_.imply(l, formula::times, u, v, {p_->weight(u), count});
    f_.imply(l, formula::progresses, u, v, {0, count});
  }
  /// And so does what a device does for both.
  void device_after(literal l, number u, number v, int count) {
    f_.imply(l, formula::times, p_->done(u), p_->done(v), {p_->weight(p_->done(u)), count});
    f_.imply(l, formula::progresses, u, v, {0, count});
  }
  void order(number u, number v, bool on_host, bool on_device) {
    pairs_.push_back({u, v, no_number});
    for (int count = 1 - p_->in_flight; count < p_->in_flight; ++count) {
      const literal l = f_.add();
      pairs_.back().later.push_back(l);
      meanings_.push_back({meaning::after, variable_of(l), u, v, count});
      if (on_host) {
        after(l, u, v, count);
        after(opposite(l), v, u, -count);
      }
      if (on_device) {
        device_after(l, u, v, count);
        device_after(opposite(l), v, u, -count);
      }
    }
  }
  /// \p ordered: in any case, and on one thread in that order.
  void maybe_order(number u, number v, bool ordered) {
    const std::vector<literal> in_any_case = ordered ? pairs_.back().later : std::vector<literal>();
    const literal same = f_.add();
    meanings_.push_back({meaning::same_thread, variable_of(same), u, v, 0});
    const auto on = [&](number t, number j, std::vector<literal>& unless) {
      if (pinned(t) == j) return true;
      if (pinned(t) != no_number || on_[t][j] == no_number) return false;
      unless.push_back(opposite(on_[t][j]));
      return true;
    };
    for (number j = 0; j < p_->threads; ++j) {
      std::vector<literal> any_of;
      if (!on(u, j, any_of) || !on(v, j, any_of)) continue;
      any_of.push_back(same);
      f_.clause(any_of);
    }
    pairs_.push_back({u, v, same});
    for (int count = 1 - p_->in_flight; count < p_->in_flight; ++count) {
      const literal later = f_.add(false, same);
      const literal earlier = f_.add(false, same);
      if (ordered) {
        const literal l = in_any_case[pairs_.back().later.size()];
        f_.clause({opposite(later), l});
        f_.clause({opposite(earlier), opposite(l)});
      }
      pairs_.back().later.push_back(later);
      meanings_.push_back({meaning::after, variable_of(later), u, v, count});
      meanings_.push_back({meaning::before, variable_of(earlier), u, v, count});
      after(later, u, v, count);
      after(earlier, v, u, -count);
      f_.clause({opposite(same), later, earlier});
    }
  }

  void flight() {
    if (!bytes_) return;
    const number pull = p_->pull();
    const number deliver = p_->deliver();
    for (int few = 1; few < p_->in_flight; ++few) {
      // At least so many more ahead at `deliver`: at most `few` batches in flight.
      const literal l = f_.add(true);
      meanings_.push_back({meaning::distance, variable_of(l), deliver, pull, 1 - few});
      f_.imply(l, formula::times, deliver, pull, {0, -few});
      f_.imply(l, formula::progresses, deliver, pull, {0, 1 - few});
      f_.imply(opposite(l), formula::progresses, pull, deliver, {0, few});
    }
  }
  void together(const problem::arc& a) {
    const int least = least_ahead(a.from) - most_ahead(a.to);
    const int most = most_ahead(a.from) - least_ahead(a.to);
    const auto each_wait = [&](auto wait) {
      if (a.on_host) return wait(a.from, a.to);
      p_->each_wait(a.from, a.to, wait);
    };
    each_wait([&](number by, number of) {
      f_.fix(formula::times, by, of, {p_->weight(by), least - a.ago});
    });
    f_.fix(formula::progresses, a.from, a.to, {0, least});
    for (int count = least + 1; count <= most; ++count) {
      const literal l = f_.add();
      meanings_.push_back({meaning::distance, variable_of(l), a.from, a.to, count});
      each_wait([&](number by, number of) {
        f_.imply(l, formula::times, by, of, {p_->weight(by), count - a.ago});
      });
      f_.imply(l, formula::progresses, a.from, a.to, {0, count});
      f_.imply(opposite(l), formula::progresses, a.to, a.from, {0, 1 - count});
    }
  }
  void count_bytes() {
    const problem& p = *p_;
    formula::at_most sum;
    sum.bytes = true;
    for (number s = 0; s < p.slot_list.size(); ++s) {
      const problem::slot& slot = p.slot_list[s];
      sum.constant += slot.bytes;
      if (slot.bytes == 0 || slot.readers.empty()) continue;
      literal fewer = no_number;
      for (int few = 1; few < p.in_flight + slot.earliest(); ++few) {
        const literal l = f_.add(true);
        meanings_.push_back({meaning::copies, variable_of(l), s, s, few});
        for (const auto& r : slot.readers) {
          p.each_wait(r.node, slot.writer, [&, &r = r](number by, number of) {
            f_.imply(l, formula::times, by, of, {p.weight(by), r.ago - few});
          });
          f_.imply(l, formula::progresses, r.node, slot.writer, {0, r.ago + 1 - few});
        }
        sum.terms.push_back({opposite(l), slot.bytes});
        if (fewer != no_number) f_.clause({opposite(fewer), l});
        fewer = l;
      }
    }
    f_.sums.push_back(sum);
  }

  const problem* p_;
  bool bytes_;
  formula f_;
  std::vector<std::vector<number>> on_;  // by task and thread: the literal
  std::vector<number> free_;             // tasks that any thread may run
  std::vector<char> blank_;              // by thread: nothing is pinned to it
  std::vector<number> blanks_;
  std::vector<meaning> meanings_;
  std::vector<decided_pair> pairs_;
};

}  // namespace stretto::search::detail
