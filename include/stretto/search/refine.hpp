// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/plan/layout/period.hpp>
#include <stretto/search/evaluation.hpp>
#include <stretto/search/problem.hpp>
#include <utility>
#include <vector>

namespace stretto::search::detail {

/// Changes an answer step by step, as long as its tasks have more to spare afterwards, or as much
/// with fewer hand-overs. Period, bytes and batches in flight stay what they are. Ends where no
/// single step helps, or after some work.
class refinement {
 public:
  refinement(const problem& p, const answer& from, long long steps)
      : p_(&p), best_(from), steps_(steps) {
    evaluation now(p, from);
    if (now.wrong() != illegal::no) return;
    period_ = now.period();
    bytes_ = now.bytes();
    spare_ = now.spare();
    hand_overs_ = now.hand_overs();
    work_ = now.work();
    while (improves()) {
    }
  }

  const answer& best() const { return best_; }
  long long work() const { return work_; }

 private:
  /// Goes once over tasks and slots. Whether anything helped.
  bool improves() {
    bool helped = false;
    for (number t = 0; t < p_->pull(); ++t) {
      helped |= runs_elsewhere(t);
      for (const int more : {0, 1, -1}) helped |= turns(t, more);
    }
    for (std::size_t more = 0; more < best_.copies.size(); ++more) helped |= takes_a_copy(more);
    return helped;
  }

  /// A task on another thread, or in exchange with one there.
  bool runs_elsewhere(number t) {
    const auto movable = [this](number u) {
      return p_->tasks[u].host && p_->tasks[u].thread == no_number;
    };
    if (!movable(t)) return false;
    for (number j = 0; j < p_->choices(); ++j) {
      if (j == best_.thread[t]) continue;
      answer a = best_;
      a.thread[t] = j;
      if (helps(std::move(a))) return true;
    }
    for (number u = t + 1; u < p_->pull(); ++u) {
      if (!movable(u) || best_.thread[u] == best_.thread[t]) continue;
      answer a = best_;
      std::swap(a.thread[t], a.thread[u]);
      if (helps(std::move(a))) return true;
    }
    return false;
  }

  /// A task \p more batches further ahead, at any place of the order that is another one for those
  /// that it excludes.
  bool turns(number t, int more) {
    const int ahead = best_.lookahead[t] + more;
    if (ahead < p_->tasks[t].least || ahead > p_->most_ahead(t) || ahead >= best_.in_flight)
      return false;
    const auto at = static_cast<std::size_t>(std::find(best_.order.begin(), best_.order.end(), t) -
                                             best_.order.begin());
    answer a = best_;
    a.lookahead[t] = ahead;
    for (std::size_t s = 0; s < a.copies.size(); ++s)
      a.copies[s] += evaluation::least_copies(*p_, a, p_->slot_list[s]) -
                     evaluation::least_copies(*p_, best_, p_->slot_list[s]);
    if (more != 0 && helps(a)) return true;
    for (const bool later : {false, true}) {
      std::vector<number> order = best_.order;
      for (std::size_t i = at; later ? i + 1 < order.size() : i > 0;) {
        const std::size_t next = later ? i + 1 : i - 1;
        std::swap(order[i], order[next]);
        const bool differs = exclude(t, order[i]);
        i = next;
        if (!differs) continue;
        a.order = order;
        if (helps(a)) return true;
      }
    }
    return false;
  }
  bool exclude(number a, number b) const {
    if (best_.thread[a] != no_number && best_.thread[a] == best_.thread[b]) return true;
    return share(p_->tasks[a].on, p_->tasks[b].on) ||
           share(p_->tasks[a].engines, p_->tasks[b].engines);
  }

  /// A copy more of a slot, and one less of another that is as large.
  bool takes_a_copy(std::size_t more) {
    for (std::size_t less = 0; less < best_.copies.size(); ++less) {
      const problem::slot& smaller = p_->slot_list[less];
      if (more == less || smaller.bytes != p_->slot_list[more].bytes ||
          best_.copies[less] <= evaluation::least_copies(*p_, best_, smaller))
        continue;
      answer a = best_;
      ++a.copies[more];
      --a.copies[less];
      if (helps(std::move(a))) return true;
    }
    return false;
  }

  /// Keeps an answer if it is better.
  bool helps(answer a) {
    if (work_ > steps_) return false;
    evaluation now(*p_, a);
    work_ += now.work() + static_cast<long long>(10 * p_->nodes());
    if (now.wrong() != illegal::no || period_ < now.period() || now.period() < period_ ||
        now.bytes() != bytes_)
      return false;
    const long long before = now.work();
    const planner::ratio spare = now.spare();
    work_ += now.work() - before;
    const int hand_overs = now.hand_overs();
    if (spare < spare_ || (spare == spare_ && hand_overs >= hand_overs_)) return false;
    best_ = std::move(a);
    spare_ = spare;
    hand_overs_ = hand_overs;
    return true;
  }

  const problem* p_;
  answer best_;
  long long steps_;
  long long work_ = 0;
  planner::ratio period_{};
  long long bytes_ = 0;
  planner::ratio spare_{};
  int hand_overs_ = 0;
};

}  // namespace stretto::search::detail
