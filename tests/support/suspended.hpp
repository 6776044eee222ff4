// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include "rest.hpp"

/// Tests of tasks that are coroutines: what they await, which is resumed when a test says so.
namespace interrupting {

/// Coroutines that are suspended, until somebody resumes them.
class suspended {
 public:
  auto wait() {
    struct awaiter {
      suspended& in;
      static constexpr bool await_ready() noexcept { return false; }
      void await_suspend(std::coroutine_handle<> who) { in.put(who); }
      static void await_resume() noexcept {}
    };
    return awaiter{*this};
  }
  /// Waits until there is one, which goes on here.
  void resume_one() { take().resume(); }
  /// Who has no answer gives up, and does not know that somebody waits for the end.
  void destroy_one() { take().destroy(); }
  std::size_t seen() const { return seen_.load(); }

 private:
  void put(std::coroutine_handle<> who) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(who);
    }
    ++seen_;
    came_.notify_one();
  }
  std::coroutine_handle<> take() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [this] { return !waiting_.empty(); });
    const std::coroutine_handle<> who = waiting_.front();
    waiting_.pop_front();
    return who;
  }

  std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::coroutine_handle<>> waiting_;
  std::atomic<std::size_t> seen_{0};
};

/// A thread that resumes as many coroutines as it is told to, at once or when all others sleep.
class resuming {
 public:
  resuming(suspended& all, std::size_t times, bool later = false)
      : thread_([&all, times, later] {
          if (later) tested::until_others_sleep();
          for (std::size_t i = 0; i < times; ++i) all.resume_one();
        }) {}
  ~resuming() { thread_.join(); }
  resuming(const resuming&) = delete;
  resuming& operator=(const resuming&) = delete;

 private:
  std::thread thread_;
};

}  // namespace interrupting
