// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/view.hpp>
#include <utility>

namespace stretto::bound::detail {

/// When each node of a plan begins and ends, progress by progress: as soon as all that it waits for
/// has ended. A node that does not fire waits all the same, and takes no time. All begins at 0.
class virtual_time {
 public:
  static constexpr std::size_t endless = static_cast<std::size_t>(-1) / 2;

  /// \p waits with those of the threads. \p order is topological where delta is 0; \p lag by node;
  /// \p runs by node: for which batches it runs; empty: for all.
  constexpr virtual_time(planner::timing waits, planner::view<std::size_t> order,
                         planner::view<std::size_t> lag, planner::view<planner::rate> runs = {})
      : waits_(std::move(waits)), order_(order), lag_(lag), runs_(runs) {}

  /// Runs one more progress of a run of \p batches batches.
  constexpr void advance(std::size_t batches) {
    const std::size_t nodes = order_.size();
    const std::size_t first = ends_.size();
    for (std::size_t n = 0; n < nodes; ++n) ends_.push_back(0);
    for (std::size_t n = 0; n < nodes; ++n) begins_.push_back(0);
    for (const std::size_t n : order_) {
      long long begin = 0;
      for (std::size_t a = waits_.into[n].first; a < waits_.into[n].last; ++a) {
        const planner::timing::arc& arc = waits_.arcs[a];
        const auto ago = static_cast<std::size_t>(arc.delta);
        if (ago <= progresses_)
          begin = planner::larger(begin, ends_[first - ago * nodes + arc.from]);
      }
      begins_[first + n] = begin;
      ends_[first + n] = begin + (fires(n, progresses_, batches) ? waits_.weight[n] : 0);
    }
    ++progresses_;
  }

  /// Progresses so far.
  constexpr std::size_t progresses() const { return progresses_; }
  constexpr bool fires(std::size_t node, std::size_t progress, std::size_t batches) const {
    if (node >= lag_.size() || !planner::fires(lag_[node], progress, batches)) return false;
    return runs_.empty() || planner::runs_for(runs_[node], progress - lag_[node]);
  }
  constexpr long long begin(std::size_t node, std::size_t progress) const {
    return begins_[progress * order_.size() + node];
  }
  constexpr long long end(std::size_t node, std::size_t progress) const {
    return ends_[progress * order_.size() + node];
  }
  /// When all has ended.
  constexpr long long latest() const {
    long long end = 0;
    for (std::size_t n = 0; n < order_.size() && progresses_ > 0; ++n)
      end = planner::larger(end, this->end(n, progresses_ - 1));
    return end;
  }
  /// Whether what can be waited for after progress \p now is what it was after \p then, later.
  constexpr bool repeats(std::size_t then, std::size_t now) const {
    std::size_t window = 1;
    for (const planner::timing::arc& arc : waits_.arcs)
      window = planner::larger(window, static_cast<std::size_t>(arc.delta));
    if (then + 1 < window) return false;
    const long long later = end(0, now) - end(0, then);
    for (std::size_t ago = 0; ago < window; ++ago)
      for (std::size_t n = 0; n < order_.size(); ++n)
        if (end(n, now - ago) - end(n, then - ago) != later) return false;
    return true;
  }

 private:
  planner::timing waits_;
  planner::list<std::size_t> order_;
  planner::list<std::size_t> lag_;
  planner::list<planner::rate> runs_;
  planner::list<long long> begins_;  // by progress and node
  planner::list<long long> ends_;    // likewise
  std::size_t progresses_ = 0;
};

}  // namespace stretto::bound::detail
