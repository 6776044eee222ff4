// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <condition_variable>
#include <coroutine>
#include <cstdint>
#include <mutex>
#include <random>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

/// Tests of tasks that are coroutines: what they await.
namespace interrupting {

/// Resumes coroutines, each some time after it was suspended, in any order.
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
  /// None is allocated later: tests count what is.
  static std::vector<entry> with_room() {
    std::vector<entry> none;
    none.reserve(256);
    return none;
  }
  void resume(const std::stop_token& over) {
    std::unique_lock lock(mutex_);
    while (came_.wait(lock, over, [this] { return !waiting_.empty(); })) {
      std::swap(waiting_[waiting_.back().seed % waiting_.size()], waiting_.back());
      const entry next = waiting_.back();
      waiting_.pop_back();
      lock.unlock();
      if (next.seed / 256 % 2 == 0) std::this_thread::yield();
      if (next.seed / 256 % 6 == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(next.seed / 4096 % 500));
      next.who.resume();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any came_;
  std::vector<entry> waiting_ = with_room();  // before there are threads
  std::jthread first_{[this](const std::stop_token& over) { resume(over); }};
  std::jthread second_{[this](const std::stop_token& over) { resume(over); }};
};

/// Awaited, it suspends a coroutine until another thread resumes it, or lets it go on at once,
/// before or after it was suspended.
class interruption {
 public:
  explicit interruption(std::uint64_t seed) : random_(seed) {}

  bool await_ready() { return random_() % 4 == 0; }
  bool await_suspend(std::coroutine_handle<> who) {
    static resumer elsewhere;
    if (random_() % 4 == 0) return false;
    elsewhere.put(who, random_());
    return true;
  }
  static void await_resume() noexcept {}

 private:
  std::mt19937_64 random_;
};

}  // namespace interrupting
