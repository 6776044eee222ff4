// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <stop_token>
#include <stretto/suspend.hpp>
#include <thread>
#include "draw.hpp"

/// Tasks that are coroutines: which of a schedule, and who resumes them.
namespace random_runs {

/// Resumes coroutines, each some time after it was suspended.
class resumer {
 public:
  void put(std::coroutine_handle<> who, std::uint64_t seed) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back({who, seed});
    }
    came_.notify_one();
  }

 private:
  struct entry {
    std::coroutine_handle<> who;
    std::uint64_t seed;
  };
  void resume(const std::stop_token& over) {
    std::unique_lock lock(mutex_);
    while (came_.wait(lock, over, [this] { return !waiting_.empty(); })) {
      const entry next = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      dice d(next.seed);
      if (d.one_in(2)) std::this_thread::yield();
      if (d.one_in(6)) std::this_thread::sleep_for(std::chrono::microseconds(d.below(500)));
      next.who.resume();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any came_;
  std::deque<entry> waiting_;
  std::jthread first_{[this](const std::stop_token& over) { resume(over); }};
  std::jthread second_{[this](const std::stop_token& over) { resume(over); }};
};

/// Awaited, it suspends a coroutine until another thread resumes it, or goes on at once, before or
/// after it has been suspended.
class interruption {
 public:
  explicit interruption(std::uint64_t seed) : dice_(seed) {}

  bool await_ready() { return dice_.one_in(4); }
  bool await_suspend(std::coroutine_handle<> who) {
    static resumer elsewhere;
    if (dice_.one_in(4)) return false;
    elsewhere.put(who, dice_.next());
    return true;
  }
  static void await_resume() noexcept {}

 private:
  dice dice_;
};

/// Which tasks of a schedule are coroutines.
struct coroutines {
  static constexpr std::size_t most_reads = 3;  ///< of those that have such a body
  static constexpr std::size_t most_writes = 2;

  /// A bit for each task; none if the schedule has what does not go with them.
  static std::uint64_t drawn(const dynamic::schedule& s, std::uint64_t seed) {
    if (std::any_of(s.groups.begin(), s.groups.end(), [](const auto& g) { return g.workers > 1; }))
      return 0;
    if (std::any_of(s.tasks.begin(), s.tasks.end(),
                    [](const dynamic::task& t) { return item_uses(t).any(); }))
      return 0;
    dice d(seed);
    std::uint64_t all = 0;
    for (std::size_t n = 0; n < s.tasks.size(); ++n)
      if (may_be_one(s.tasks[n]) && !d.one_in(3)) all |= std::uint64_t{1} << n;
    return all;
  }

 private:
  static bool may_be_one(const dynamic::task& t) {
    const bool looks_back = std::any_of(t.reads.begin(), t.reads.end(), [](const dynamic::use& u) {
      return u.ago > 0 || u.latest;
    });
    return !looks_back && t.reads.size() <= most_reads && t.writes.size() <= most_writes;
  }
};

}  // namespace random_runs
