// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/locked.hpp>
#include <utility>

namespace stretto::runner {

/// A task that threw: on which batch, in which progress, and where that run of it lies in the order
/// of batches and, within a batch, of its tasks.
struct caught {
  std::size_t node = planner::none;
  std::exception_ptr error;
  std::size_t progress = 0;
  std::size_t place = 0;
};

/// The failure that a run ends at: of all runs of tasks that threw, the first in the order of
/// batches and, within a batch, of its tasks. What lies before it runs, what lies behind it does
/// not begin. Which one it is follows from what tasks do, not from when they do it: a thread passes
/// over nothing that lies before the first one known so far, so an earlier one is found.
class first_failure {
 public:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  /// Whether a run of a task is not to begin, as far as is known.
  // relaxed: the place only gets smaller, so who sees it late runs something that is in vain.
  // Whoever has waited for a task that failed or was passed over has acquired the place.
  bool ends_before(std::size_t place) const {
    return place >= place_.load(std::memory_order_relaxed);
  }
  /// One more failure, on any thread.
  [[gnu::noinline, gnu::cold]] void note(const caught& failure) {
    std::exception_ptr gone;  // what users wrote ends unlocked
    const locked alone(taken_);
    if (failure.place >= place_.load(std::memory_order_relaxed)) return;
    gone = std::exchange(first_, failure).error;
    place_.store(failure.place, std::memory_order_relaxed);
  }
  /// The first one that is known.
  [[gnu::noinline, gnu::cold]] caught get() const {
    const locked alone(taken_);
    return first_;
  }
  bool is_known() const { return place_.load(std::memory_order_relaxed) != nowhere; }
  /// Before a run, while no other thread runs.
  void forget() {
    if (!is_known()) return;
    first_ = {};
    place_.store(nowhere, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::size_t> place_{nowhere};  ///< one word: batch and task are never seen apart
  mutable std::atomic_flag taken_{};
  caught first_;
};

/// The order of a batch's nodes, for \p ranks: by lag, then by their order within a progress, and
/// last the delivery, which is the last node.
template <class Order, class Lag, class Ranks>
constexpr void find_ranks(const Order& order, const Lag& lag, Ranks& ranks) {
  const std::size_t deliver = order.size() - 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t before = 0;
    for (std::size_t j = 0; j < order.size(); ++j) {
      const bool is_before =
          lag[order[j]] < lag[order[i]] || (lag[order[j]] == lag[order[i]] && j < i);
      if (is_before && order[j] != deliver) ++before;
    }
    ranks[order[i]] = before;
  }
  ranks[deliver] = deliver;
}

/// From which batch on a host thread has passed over a task because the run ended before.
struct passed_over {
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  std::size_t batch = nothing;
  bool begun = false;  ///< the task had begun on that one, and failed
};

/// Where a node's is among those of all nodes, each with one for every worker of its thread.
template <class ThreadOf, class Workers>
constexpr std::size_t passed_over_place(const ThreadOf& thread_of, const Workers& workers,
                                        std::size_t node, std::size_t progress) {
  std::size_t place = 0;
  for (std::size_t n = 0; n < node; ++n) place += workers[thread_of[n]];
  return place + progress % workers[thread_of[node]];
}

}  // namespace stretto::runner
