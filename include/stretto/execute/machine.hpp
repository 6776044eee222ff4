// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <boost/hana/at.hpp>
#include <boost/hana/tuple.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/declare/context.hpp>
#include <stretto/execute/ring.hpp>
#include <stretto/execute/signal.hpp>
#include <stretto/static/plan_of.hpp>
#include <utility>

namespace stretto::detail {

template <class>
struct tuple_of;
template <class... T>
struct tuple_of<pack<T...>> {
  using type = boost::hana::tuple<T...>;
};

/// A task that threw, kept on the thread where it did.
struct caught {
  std::size_t node = plan::none;
  std::exception_ptr error;
};

/// What all threads of a running pipeline share.
template <class Schedule, class Waiting, class Observer, class Affinity>
struct machine {
  using schedule = Schedule;
  using waiting = Waiting;
  using position = ring_position<Schedule>;
  static constexpr const auto& plan = plan_of<Schedule>;
  static constexpr std::size_t threads = plan.threads;
  static constexpr bool alone = threads == 1;
  static constexpr bool observed = Observer::observes;
  static constexpr bool pins = Affinity::pins;

  using task_tuple = typename tuple_of<typename declared<Schedule>::tasks>::type;
  task_tuple tasks;
  Observer observer{};
  ring<Schedule> memory{};

  // Written by the calling thread between progresses; the barrier publishes it. Steady progresses
  // write none of it, so that no thread has to fetch it again.
  std::size_t known = 0;  ///< batches pulled before this progress; not kept while steady
  bool fresh = true;      ///< this is progress 0 of a run
  /// The run in which every task fires now, provided that the source has one more batch.
  const void* steady_run = nullptr;
  phase now = phase::prefill;

  // Written by the thread that pulls, read after its signal or the barrier.
  alignas(cache_line) std::size_t pulled = 0;  ///< not kept while steady: see count_pulled
  bool ended = false;

  /// Says to stop at the next task boundary.
  alignas(cache_line) std::atomic<bool> stop{false};

  /// What the calling thread has to say at the start of a progress, on one line: it is fetched once
  /// if pulling takes no time.
  struct alignas(cache_line) beginning {
    signal_word<Waiting> open;
    signal_word<Waiting> pulled;
  };
  beginning start{};
  std::array<signal<Waiting>, alone ? 0 : plan.nodes> signals{};

  /// The signal that a node has run.
  signal_word<Waiting>& signal_of(std::size_t node) {
    if (node == plan.pull && plan.thread_of[plan.pull] == 0) return start.pulled;
    return signals[node];
  }

  struct alignas(cache_line) outcome {
    std::size_t stopped_at = plan::none;  ///< place in the chain; none: ran to its end
    caught failure;
  };
  std::array<outcome, threads> outcomes{};

  explicit machine(task_tuple all) : tasks(std::move(all)) {}

  template <std::size_t Node>
  auto& task() {
    return boost::hana::at_c<Node>(tasks);
  }

  bool steady() const { return steady_run != nullptr; }

  /// After a steady progress with this number that will have no steady one after it: at its start
  /// as many batches were pulled as there were progresses.
  void count_pulled(std::size_t progress) {
    const bool asked = outcomes[plan.thread_of[plan.pull]].stopped_at != 0;  // it is place 0
    pulled = asked && !ended ? progress + 1 : progress;
  }

  /// Whether the run has another progress in it.
  bool has_more(std::size_t progress) const {
    return !ended || progress < pulled + static_cast<std::size_t>(plan.max_lookahead);
  }

  void restart() {
    known = 0;
    fresh = true;
    steady_run = nullptr;
    now = phase::prefill;
    pulled = 0;
    ended = false;
    stop.store(false, std::memory_order_relaxed);  // no other thread runs now
    outcomes = {};
  }
};

}  // namespace stretto::detail
