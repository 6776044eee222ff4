// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace stretto::watch::detail {

/// Has questions asked on a thread of its own, as those who are asked may not come back. Ends when
/// the last one has.
class asker {
 public:
  asker() : thread_([this] { run(); }) {}
  asker(const asker&) = delete;
  asker& operator=(const asker&) = delete;
  ~asker() {
    {
      const std::lock_guard lock(mutex_);
      leaving_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// Whether a question came back within this time. While one has not, no other is asked. What it
  /// throws counts as no answer.
  bool ask(std::function<void()> question, std::chrono::steady_clock::duration patience) {
    std::unique_lock lock(mutex_);
    if (question_) return false;
    question_ = std::move(question);
    answered_ = false;
    changed_.notify_all();
    return changed_.wait_for(lock, patience, [this] { return !question_; }) && answered_;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return leaving_ || question_; });
      if (!question_) return;
      lock.unlock();
      bool answered = false;
      try {
        question_();  // which nobody touches meanwhile
        answered = true;
      } catch (...) {  // there is nothing to be said then
      }
      lock.lock();
      question_ = nullptr;
      answered_ = answered;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> question_;  ///< that is being asked
  bool answered_ = false;
  bool leaving_ = false;
  std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace stretto::watch::detail
