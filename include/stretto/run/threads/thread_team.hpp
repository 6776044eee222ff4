// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/threads/core_set.hpp>
#include <stretto/run/threads/hosted_threads.hpp>
#include <stretto/run/threads/os_thread.hpp>
#include <stretto/run/threads/pinned_threads.hpp>
#include <stretto/run/wait/signal.hpp>
#include <string_view>

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
  crew(duty what, planner::view<std::string_view> names, planner::view<core_set> cores,
       const seats& lent)
      : duty_(what),
        names_(names),
        cores_(cores),
        home_(pinned_threads::home()),
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
    if (!cores_.empty()) pinned_threads::hold(this, cores_[host]);
    work(host, runs_);
    pinned_threads::release(this);
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
  planner::view<std::string_view> names_;
  planner::view<core_set> cores_;
  core_set home_;           ///< which threads would inherit if no run held their maker
  std::uint32_t runs_ = 0;  // written by the calling thread while no run is on
  bool quit_ = false;       // published by the last beginning
  signal<resting> begun_{};
  std::size_t size_;
  station* stations_;  ///< by host thread; the calling one's is not used
};

}  // namespace stretto::detail
