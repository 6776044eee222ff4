// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include "../../support/patience.hpp"

/// Turns a hang into a failure that says where: aborts the process if the scope is not left before
/// all patience is lost. Nothing is asserted about the time itself.
class deadline {
 public:
  explicit deadline(const char* what, std::chrono::seconds limit = tested::patience)
      : watch_([this, what, limit] {
          std::unique_lock lock(mutex_);
          if (left_.wait_for(lock, limit, [this] { return done_; })) return;
          std::fprintf(stderr, "hangs: %s\n", what);
          std::abort();
        }) {}
  ~deadline() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    left_.notify_one();
    watch_.join();
  }
  deadline(const deadline&) = delete;
  deadline& operator=(const deadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable left_;
  bool done_ = false;
  std::thread watch_;
};
