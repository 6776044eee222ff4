// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/execute/chain.hpp>
#include <thread>
#include <utility>
#include <vector>

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

  /// Runs one progress; the calling thread runs chain 0.
  template <class Pull>
  void progress(typename Machine::position& at, Pull& pull) {
    machine_.epoch = ++epoch_;
    open_.publish(epoch_);
    chain<Machine, 0>::run(machine_, at, pull);
    for (auto& s : closed_) s.await(epoch_);
  }

 private:
  template <std::size_t... I>
  void start(std::index_sequence<I...>) {
    threads_.reserve(workers);
    (threads_.emplace_back([this] { work<I + 1>(); }), ...);
  }

  void stop() {
    quit_ = true;
    open_.publish(++epoch_);
    for (auto& t : threads_) t.join();
    threads_.clear();
  }

  template <std::size_t Thread>
  void work() {
    typename Machine::position at;
    for (std::uint32_t epoch = 1;; ++epoch) {
      open_.await(epoch);
      if (quit_) return;
      if (machine_.fresh) at.restart();
      at.advance();
      if constexpr (Machine::plan.thread_of[Machine::plan.pull] == Thread) {
        chain<Machine, Thread>::run(machine_, at, pull_);
      } else {
        no_pull none;
        chain<Machine, Thread>::run(machine_, at, none);
      }
      closed_[Thread - 1].publish(epoch);
    }
  }

  Machine& machine_;
  ErasedPull pull_{};
  std::uint32_t epoch_ = 0;  // only the calling thread's
  bool quit_ = false;        // published by open_
  signal<waiting> open_;
  std::array<signal<waiting>, workers> closed_{};
  std::vector<std::thread> threads_;
};

}  // namespace stretto::detail
