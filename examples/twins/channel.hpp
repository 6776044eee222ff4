// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

namespace twins {

/// Hands pointers from one thread to the next, in order. A null pointer is the end.
template <class T>
class channel {
 public:
  void put(T* item) {
    const std::lock_guard lock(mutex_);
    items_.push_back(item);
    filled_.notify_one();
  }
  T* take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !items_.empty(); });
    T* const item = items_.front();
    items_.pop_front();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<T*> items_;
};

}  // namespace twins
