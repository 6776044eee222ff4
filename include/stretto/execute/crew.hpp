// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/execute/affinity.hpp>
#include <stretto/execute/chain.hpp>
#include <thread>
#include <utility>

namespace stretto::detail {

/// A source seen from a thread that cannot know its type.
template <class Slot>
struct erased_pull {
  void* source = nullptr;
  bool (*fill)(void* source, Slot& slot) = nullptr;

  bool operator()(Slot& slot) { return fill(source, slot); }
};

/// Stands where a chain does not pull.
struct no_pull {
  template <class Slot>
  bool operator()(Slot&) {
    return false;
  }
};

/// The worker threads of a pipeline, and the barrier around each progress: the calling thread opens
/// a progress, every thread runs its chain, and the calling thread waits for all of them. Between
/// progresses nothing runs.
template <class Machine, class ErasedPull>
class crew {
  static constexpr std::size_t workers = Machine::threads - 1;
  using waiting = typename Machine::waiting;

 public:
  explicit crew(Machine& m) : machine_(m) {
    try {
      start(std::make_index_sequence<workers>{});
    } catch (...) {  // the system has no more threads
      stop();
      throw;
    }
  }
  ~crew() { stop(); }
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;

  /// What the worker that pulls takes batches from.
  void pull_from(ErasedPull pull) { pull_ = pull; }

  /// Runs one progress that is not steady; the calling thread runs chain 0.
  template <class Pull>
  void progress(typename Machine::position& at, Pull& pull) {
    open(at.next_epoch());
    chain<Machine, 0>::run_masked(machine_, at, pull);
    close();
  }

  /// The same for a steady one. Returns whether the next can be steady too.
  template <class Pull>
  bool steady_progress(typename Machine::position& at, Pull& pull) {
    open(at.next_epoch());
    const bool steady = chain<Machine, 0>::run_steady(machine_, at, pull);
    close();
    // relaxed: the barrier published it.
    return steady && !machine_.ended && !machine_.stop.load(std::memory_order_relaxed);
  }

 private:
  void open(std::uint32_t epoch) {
    opened_ = epoch;
    machine_.start.open.publish(epoch);
  }
  void close() {
    for (auto& s : closed_) s.await(opened_);
  }

  template <std::size_t... I>
  void start(std::index_sequence<I...>) {
    ((threads_[I] = std::thread([this] { work<I + 1>(); })), ...);
  }

  void stop() {
    quit_ = true;
    open(opened_ + 1);
    for (std::thread& t : threads_)
      if (t.joinable()) t.join();
  }

  template <std::size_t Thread>
  void work() {
    if constexpr (Machine::pins) cores().pin(Thread);
    typename Machine::position at;
    for (;;) {
      machine_.start.open.await(at.next_epoch());
      if (quit_) return;
      if (machine_.fresh) at.restart(machine_.memory);
      if constexpr (Machine::plan.thread_of[Machine::plan.pull] == Thread) {
        chain<Machine, Thread>::run(machine_, at, pull_);
      } else {
        no_pull none;
        chain<Machine, Thread>::run(machine_, at, none);
      }
      closed_[Thread - 1].publish(at.epoch());
    }
  }

  Machine& machine_;
  ErasedPull pull_{};
  std::uint32_t opened_ = 0;  // only the calling thread's
  bool quit_ = false;         // published by the opening
  std::array<signal<waiting>, workers> closed_{};
  std::array<std::thread, workers> threads_;
};

}  // namespace stretto::detail
