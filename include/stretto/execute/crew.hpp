// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/execute/chain.hpp>
#include <stretto/execute/core_set.hpp>
#include <stretto/execute/held_threads.hpp>
#include <stretto/execute/seats.hpp>
#include <stretto/execute/signal.hpp>
#include <stretto/execute/worker.hpp>
#include <stretto/plan/list.hpp>
#include <stretto/plan/view.hpp>
#include <string_view>
#include <utility>

namespace stretto::detail {

/// The host threads of a pipeline but for the calling one. Between runs they sleep, whatever the
/// wait strategy.
class crew {
  using resting = spin_then_sleep<>;

 public:
  /// What there is to do.
  struct duty {
    void* owner = nullptr;
    /// A host thread's part of a run. Throws nothing.
    void (*work)(void* owner, std::size_t host) = nullptr;
  };

  /// Starts the threads, but for those that have seats among \p lent. \p names and \p cores are by
  /// host thread, the calling one first; no cores: anywhere. Throws std::runtime_error if the
  /// system has no more threads.
  crew(duty what, plan::view<std::string_view> names, plan::view<core_set> cores, const seats& lent)
      : duty_(what),
        names_(names),
        cores_(cores),
        home_(held_threads::home()),
        size_(names.size()),
        stations_(new station[size_]) {
    prepare_to_sleep();
    try {
      for (std::size_t h = 1; h < size_; ++h) {
        if (lent.has(h)) continue;
        stations_[h].crew = this;
        stations_[h].host = h;
        stations_[h].thread.start<station, &station::attend>(stations_[h]);
      }
    } catch (...) {  // the system has no more threads
      stop();
      throw;
    }
  }
  ~crew() { stop(); }
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;

  /// Sets the threads going on a run, those of its own.
  void begin() { begun_.publish(++runs_); }

  /// The part of a host thread in the run that has begun, on a thread of the user's.
  void stand_in(std::size_t host) {
    if (!cores_.empty()) held_threads::hold(this, cores_[host]);
    work(host, runs_);
    held_threads::release(this);
  }

  /// Waits until every thread has left the run.
  void rest() {
    for (std::size_t h = 1; h < size_; ++h) stations_[h].left.await(runs_);
  }

 private:
  /// A host thread's.
  struct station {
    detail::crew* crew = nullptr;
    std::size_t host = 0;
    worker thread;
    signal<resting> left{};  ///< the run that it left last

    static void attend(station& s) { s.crew->attend(s.host); }
  };

  void attend(std::size_t host) {
    name_this_thread(names_[host]);
    home_.apply();
    if (!cores_.empty()) cores_[host].apply();
    for (std::uint32_t run = 1;; ++run) {
      begun_.await(run);
      if (quit_) return;
      work(host, run);
    }
  }
  void work(std::size_t host, std::uint32_t run) {
    duty_.work(duty_.owner, host);
    stations_[host].left.publish(run);
  }

  void stop() {
    quit_ = true;
    begin();
    for (std::size_t h = 1; h < size_; ++h) stations_[h].thread.join();
    delete[] stations_;
  }

  duty duty_;
  plan::view<std::string_view> names_;
  plan::view<core_set> cores_;
  core_set home_;           ///< which threads would inherit if no run held their maker
  std::uint32_t runs_ = 0;  // written by the calling thread while no run is on
  bool quit_ = false;       // published by the last beginning
  signal<resting> begun_{};
  std::size_t size_;
  station* stations_;  ///< by host thread; the calling one's is not used
};

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

/// What the crew does of a pipeline's runs: each host thread its group's chain.
template <class Machine, class ErasedPull>
class crew_work {
  using hosts = typename Machine::hosts;

 public:
  explicit crew_work(Machine& m) : machine_(m) {}

  /// What the thread that pulls takes batches from, if that is one of the crew.
  void pull_from(ErasedPull pull) { pull_ = pull; }

  crew::duty duty() {
    return {this, [](void* self, std::size_t host) {
              static_cast<crew_work*>(self)->work(host,
                                                  std::make_index_sequence<Machine::threads>());
            }};
  }

 private:
  template <std::size_t... Thread>
  void work(std::size_t host, std::index_sequence<Thread...>) {
    using part = void (crew_work::*)(std::size_t);
    // The calling thread's has no part here; group 0 stands for it.
    static constexpr std::array<part, sizeof...(Thread)> parts{
        &crew_work::run < Thread == 0 ? sizeof...(Thread) - 1 : Thread > ...};
    (this->*parts[hosts::group(host)])(host);
  }

  template <std::size_t Thread>
  void run(std::size_t host) {
    typename Machine::position at;
    at.restart(machine_.memory);
    at.skip(host - hosts::first(Thread));
    if constexpr (Machine::plan.thread_of[Machine::plan.pull] == Thread) {
      chain<Machine, Thread>::run(machine_, at, pull_);
    } else {
      no_pull none;
      chain<Machine, Thread>::run(machine_, at, none);
    }
  }

  Machine& machine_;
  ErasedPull pull_{};
};

}  // namespace stretto::detail
