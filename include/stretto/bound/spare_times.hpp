// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>

namespace stretto::bound::shared {

/// How much longer nodes may take, one at a time, before a progress takes longer than it does.
/// Looks at what it was made of until its end.
class spare_times {
 public:
  /// \p waits: all of a plan, threads' own order too; \p order: topological where delta is 0; \p
  /// period: the present one.
  constexpr spare_times(const planner::timing& waits, planner::view<std::size_t> order,
                        planner::ratio period)
      : waits_(&waits), order_(order), period_(period) {}

  /// What the tightest of the cycles through a node leaves; 0 if there is none.
  constexpr planner::ratio of(std::size_t node) {
    constexpr long long unreached = -1;
    const auto scaled = [this](std::size_t n) { return waits_->weight[n] * period_.progresses; };
    // By node: when it has ended, if `node` starts at 0; as far below 0 as it is early.
    done_.assign(order_.size(), 0);
    reached_.assign(order_.size(), unreached);
    long long back = 0;
    bool closed = false;
    done_[node] = scaled(node);
    reached_[node] = 0;
    for (bool grew = true; grew;) {
      grew = false;
      for (const std::size_t n : order_) {
        for (std::size_t a = waits_->into[n].first; a < waits_->into[n].last; ++a) {
          const planner::timing::arc& arc = waits_->arcs[a];
          if (reached_[arc.from] == unreached) continue;
          const long long start = done_[arc.from] - arc.delta * period_.time;
          if (n == node) {
            if (!closed || start > back) back = start;
            closed = true;
          } else if (reached_[n] == unreached || start + scaled(n) > done_[n]) {
            done_[n] = start + scaled(n);
            reached_[n] = 0;
            grew = true;
          }
        }
      }
      work_ += static_cast<long long>(waits_->arcs.size() + order_.size());
    }
    return {-back, period_.progresses};
  }

  /// The arcs and nodes looked at so far, a measure of work that is the same everywhere.
  constexpr long long work() const { return work_; }

 private:
  const planner::timing* waits_;
  planner::view<std::size_t> order_;
  planner::ratio period_;
  planner::list<long long> done_;
  planner::list<long long> reached_;
  long long work_ = 0;
};

}  // namespace stretto::bound::shared
