// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/execute/affinity.hpp>
#include <stretto/execute/chain.hpp>
#include <stretto/execute/worker.hpp>
#include <utility>

namespace stretto::detail {

/// A source seen from a thread that cannot know its type.
template <class Slot>
struct erased_pull {
  static constexpr bool abandons = false;
  void* source = nullptr;
  bool (*fill)(void* source, Slot& slot) = nullptr;

  bool operator()(Slot& slot) { return fill(source, slot); }
};

/// Stands where a chain does not pull.
struct no_pull {
  static constexpr bool abandons = false;
  template <class Slot>
  bool operator()(Slot&) {
    return false;
  }
};

/// The worker threads of a pipeline. Between runs they sleep, whatever the wait strategy.
template <class Machine, class ErasedPull>
class crew {
  static constexpr std::size_t workers = Machine::hosts::count - 1;
  using resting = spin_then_sleep<>;

 public:
  explicit crew(Machine& m) : machine_(m) {
    prepare_to_sleep();
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

  /// Sets the threads going on a run.
  void begin() { runs_begun_.publish(++runs_); }

  /// Waits until every thread has left the run.
  void rest() {
    for (auto& r : runs_left_) r.await(runs_);
  }

 private:
  template <std::size_t... I>
  void start(std::index_sequence<I...>) {
    (threads_[I].template start<crew, &crew::work_on<I + 1>>(*this), ...);
  }

  void stop() {
    quit_ = true;
    begin();
    for (worker& w : threads_) w.join();
  }

  template <std::size_t Host>
  static void work_on(crew& c) {
    c.template work<Host>();
  }
  template <std::size_t Host>
  void work() {
    using hosts = typename Machine::hosts;
    constexpr std::size_t thread = hosts::group(Host);
    name_this_thread(hosts::names[Host]);
    if constexpr (Machine::pins) cores().pin(Host);
    for (std::uint32_t run = 1;; ++run) {
      runs_begun_.await(run);
      if (quit_) return;
      typename Machine::position at;
      at.restart(machine_.memory);
      at.skip(Host - hosts::first(thread));
      if constexpr (Machine::plan.thread_of[Machine::plan.pull] == thread) {
        chain<Machine, thread>::run(machine_, at, pull_);
      } else {
        no_pull none;
        chain<Machine, thread>::run(machine_, at, none);
      }
      runs_left_[Host - 1].publish(run);
    }
  }

  Machine& machine_;
  ErasedPull pull_{};
  std::uint32_t runs_ = 0;  // only the calling thread's
  bool quit_ = false;       // published by the last beginning
  signal<resting> runs_begun_{};
  std::array<signal<resting>, workers> runs_left_{};
  std::array<worker, workers> threads_;
};

}  // namespace stretto::detail
