// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>
#include "../common/relax.hpp"
#if defined(__linux__)
#  include <pthread.h>
#  include <sched.h>
#endif

// Pinning by hand, as `st::pinned` does it: the i-th thread on the i-th of the cores that the
// calling thread may use, in turn if there are fewer. Linux; elsewhere nothing is pinned.

namespace benchmarks::by_hand {

/// The cores that the calling thread may use.
inline std::vector<int> own_cores() {
  std::vector<int> found;
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0)
    for (int core = 0; core < CPU_SETSIZE; ++core)
      if (CPU_ISSET(core, &set)) found.push_back(core);
#endif
  return found;
}

inline void run_on([[maybe_unused]] const std::vector<int>& cores) {
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
#endif
}

/// The calling thread on the first of its cores, and back on all of them.
class pinned_caller {
 public:
  pinned_caller() { run_on_turn(0); }
  ~pinned_caller() { run_on(cores_); }
  pinned_caller(const pinned_caller&) = delete;
  pinned_caller& operator=(const pinned_caller&) = delete;

  void run_on_turn(std::size_t thread) const {
    if (!cores_.empty()) run_on({cores_[thread % cores_.size()]});
  }

 private:
  std::vector<int> cores_ = own_cores();
};

/// A further thread, on a core of its own: there when it is made, joined when it goes.
class companion {
 public:
  template <class Body>
  companion(const pinned_caller& caller, std::size_t number, Body body)
      : thread_([this, &caller, number, body = std::move(body)]() mutable {
          caller.run_on_turn(number);
          there_.store(true, std::memory_order_release);
          body();
        }) {
    while (!there_.load(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~companion() { thread_.join(); }
  companion(const companion&) = delete;
  companion& operator=(const companion&) = delete;

 private:
  std::atomic<bool> there_{false};
  std::thread thread_;
};

}  // namespace benchmarks::by_hand
