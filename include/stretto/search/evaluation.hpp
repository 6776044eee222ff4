// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/bound/spare_times.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/search/problem.hpp>
#include <utility>
#include <vector>

namespace stretto::search {

/// What is wrong with an answer.
enum class illegal {
  no,          ///< nothing
  incomplete,  ///< not a number for each task, or an order of other tasks
  lookahead,   ///< one outside of its bounds
  in_flight,   ///< more batches than allowed, or fewer than lookaheads ask for
  future,      ///< a task waits for what is still to come
  thread,      ///< not the one that a task is pinned to, or none that there is
  order,       ///< a task stands before one that it waits for in the same progress
  copies,      ///< fewer than a slot needs
  bytes        ///< more than allowed
};

/// What an answer comes to, exactly: it shares nothing with how answers are found.
class evaluation {
 public:
  evaluation(const problem& p, const answer& a) : p_(&p), a_(&a) {
    wrong_ = judge();  // NOLINT(cppcoreguidelines-prefer-member-initializer): of the others
    if (wrong_ == illegal::no) find_period();
  }

  illegal wrong() const { return wrong_; }
  /// Of the other functions an illegal answer has nothing to tell.
  const planner::ratio& period() const { return period_; }
  long long bytes() const { return bytes_; }
  /// The nodes of the cycle that takes longest; none if a thread, resource or task by itself does.
  const std::vector<number>& cycle() const { return cycle_; }
  /// What tasks have to spare, one at a time, of a tenth that each may take longer than it is said
  /// to: from none, 0, to all, 1.
  planner::ratio spare() {
    const problem& p = *p_;
    bound::shared::spare_times left(timing_, order_, period_);
    planner::ratio share{0, 0};
    for (number t = 0; t < p.all_nodes(); ++t) {
      if (t == p.pull() || t == p.deliver()) continue;
      const long long weight = p.weight(t) * period_.progresses;
      if (weight == 0) continue;
      // Its own runs come one after the other.
      const long long most = (std::min)(left.of(t).time, period_.time - weight);
      share.time += (std::min)(10 * most, weight);
      share.progresses += weight;
    }
    work_ += left.work();
    return share.progresses > 0 ? share : planner::ratio{1, 1};
  }
  /// How often, in a progress, a thread has to wait for what another one has done: once for each
  /// task that it waits for.
  int hand_overs() const {
    const problem& p = *p_;
    std::vector<std::pair<number, number>> all;
    const auto add = [&](number by, number to) {
      const number thread = thread_of(to);
      if (thread != no_number && thread_of(by) != no_number && thread != thread_of(by))
        all.emplace_back(by, thread);
    };
    for (const problem::slot& s : p.slot_list)
      for (const auto& r : s.readers) add(s.writer, r.node);
    for (const auto* arcs : {&p.arcs, &p.progresses})
      for (const problem::arc& x : *arcs) add(x.from, x.to);
    std::sort(all.begin(), all.end());
    return static_cast<int>(std::unique(all.begin(), all.end()) - all.begin());
  }
  /// The arcs and nodes looked at so far.
  long long work() const { return work_; }

  /// One copy for each batch between the writer and the reader furthest behind it; and for each
  /// that a reader looks back, so that the writer can run dry before it.
  static int least_copies(const problem& p, const answer& a, const problem::slot& s) {
    int most = 0;
    for (const auto& r : s.readers)
      most = (std::max)(most, ahead(p, a, s.writer) - ahead(p, a, r.node) + r.ago);
    return (std::max)(most + 1, s.earliest());
  }
  static int ahead(const problem& p, const answer& a, number node) {
    if (node == p.pull()) return a.in_flight - 1;
    return node == p.deliver() ? 0 : a.lookahead[node];
  }

 private:
  struct arc {
    number from;
    number to;
    int delta;
  };
  int ahead(number node) const { return ahead(*p_, *a_, node); }
  number thread_of(number node) const {
    return node == p_->pull()      ? p_->pulling
           : node == p_->deliver() ? p_->delivering
                                   : a_->thread[node];
  }
  void add(number from, number to, int delta) { arcs_.push_back({from, to, delta}); }
  void wait(number from, number to, int delta) {
    p_->each_wait(from, to, [&](number by, number of) { add(by, of, delta); });
  }

  illegal judge() {
    const problem& p = *p_;
    const answer& a = *a_;
    const std::size_t tasks = p.tasks.size();
    if (a.lookahead.size() != tasks || a.thread.size() != tasks || a.order.size() != tasks ||
        a.copies.size() != p.slot_list.size())
      return illegal::incomplete;
    if (a.in_flight > p.in_flight) return illegal::in_flight;
    place_.assign(p.nodes(), no_number);
    for (number i = 0; i < tasks; ++i) {
      if (a.order[i] >= tasks || place_[a.order[i]] != no_number) return illegal::incomplete;
      place_[a.order[i]] = i + 1;
    }
    place_[p.pull()] = 0;
    place_[p.deliver()] = p.nodes();
    for (number t = 0; t < tasks; ++t) {
      if (a.lookahead[t] < p.tasks[t].least || a.lookahead[t] > p.most_ahead(t))
        return illegal::lookahead;
      if (a.lookahead[t] >= a.in_flight) return illegal::in_flight;
      const problem::task& task = p.tasks[t];
      if (!task.host
              ? a.thread[t] != no_number
              : a.thread[t] >= p.threads || (task.thread != no_number ? a.thread[t] != task.thread
                                                                      : a.thread[t] >= p.choices()))
        return illegal::thread;
    }
    for (const problem::slot& s : p.slot_list)
      for (const auto& r : s.readers)
        wait(s.writer, r.node, ahead(s.writer) - ahead(r.node) + r.ago);
    for (const problem::arc& x : p.arcs) wait(x.from, x.to, ahead(x.from) + x.ago - ahead(x.to));
    for (const problem::arc& x : p.progresses)
      x.on_host ? add(x.from, x.to, x.ago) : wait(x.from, x.to, x.ago);
    for (const arc& x : arcs_) {
      if (x.delta < 0) return illegal::future;
      if (x.delta == 0 && place_[p.task_of(x.from)] >= place_[p.task_of(x.to)])
        return illegal::order;
    }
    for (std::size_t s = 0; s < p.slot_list.size(); ++s) {
      const problem::slot& slot = p.slot_list[s];
      if (a.copies[s] < least_copies(p, a, slot)) return illegal::copies;
      for (const auto& r : slot.readers)
        wait(r.node, slot.writer, a.copies[s] - (ahead(slot.writer) - ahead(r.node) + r.ago));
      bytes_ += a.copies[s] * slot.bytes;
    }
    return bytes_ > p.bytes ? illegal::bytes : illegal::no;
  }

  void find_period() {
    const problem& p = *p_;
    const answer& a = *a_;
    std::vector<long long> busy(std::size_t{p.threads} + p.resources, 0);
    std::vector<number> first(busy.size(), no_number);
    std::vector<number> last(busy.size(), no_number);
    long long least = p.pull_weight;
    const auto hold = [&](std::size_t by, number t) {
      busy[by] += p.weight(t);
      if (first[by] == no_number) first[by] = t;
      if (last[by] != no_number) add(last[by], t, 0);
      last[by] = t;
    };
    for (const number t : a.order) {
      least = (std::max)({least, p.tasks[t].weight, p.tasks[t].device});
      if (a.thread[t] != no_number) hold(a.thread[t], t);
      for (const number r : p.tasks[t].on) hold(std::size_t{p.threads} + r, t);
      for (const number r : p.tasks[t].engines) hold(std::size_t{p.threads} + r, p.done(t));
      if (p.submits(t)) add(t, p.done(t), 0);
      add(p.pull(), t, a.in_flight - 1 - a.lookahead[t]);
      add(t, p.deliver(), a.lookahead[t]);
    }
    for (std::size_t by = 0; by < busy.size(); ++by) {
      least = (std::max)(least, busy[by]);
      if (first[by] != last[by]) add(last[by], first[by], 1);
    }
    add(p.pull(), p.deliver(), a.in_flight - 1);
    add(p.deliver(), p.pull(), 1);

    timing_.weight.reserve(p.all_nodes());
    for (number n = 0; n < p.all_nodes(); ++n) timing_.weight.push_back(p.weight(n));
    std::vector<std::size_t> begins(p.all_nodes() + 1, 0);
    for (const arc& x : arcs_) ++begins[x.to + 1];
    for (number n = 0; n < p.all_nodes(); ++n) {
      begins[n + 1] += begins[n];
      timing_.into.push_back({begins[n], begins[n + 1]});
    }
    timing_.arcs.assign(arcs_.size(), {});
    for (const arc& x : arcs_) timing_.arcs[begins[x.to]++] = {x.from, x.delta};
    order_.push_back(p.pull());
    for (const number t : a.order) {
      order_.push_back(t);
      if (p.device) order_.push_back(p.nodes() + t);
    }
    order_.push_back(p.deliver());
    planner::period_finder finder(timing_);
    period_ = finder.period({least, 1}, order_);
    work_ += finder.work();
    if (planner::ratio{least, 1} < period_)
      for (const std::size_t n : finder.cycle()) cycle_.push_back(static_cast<number>(n));
    std::reverse(cycle_.begin(), cycle_.end());
  }

  const problem* p_;
  const answer* a_;
  illegal wrong_ = illegal::no;
  std::vector<number> place_;
  std::vector<arc> arcs_;
  planner::timing timing_;
  planner::list<std::size_t> order_;
  planner::ratio period_{};
  long long bytes_ = 0;
  std::vector<number> cycle_;
  long long work_ = 0;
};

}  // namespace stretto::search
