// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include "pipeline.hpp"

namespace benchmarks {

/// The source of every variant: N batches, each its number. As with a source that reads a
/// file, who pulls cannot see into it, nor when it will end.
class counted {
 public:
  explicit counted(std::size_t batches) : end_(batches) {}

  bool operator()(value& batch) {
    asm volatile("" : : "r"(this) : "memory");
    if (next_ == end_) return false;
    batch = next_++;
    return true;
  }

 private:
  value next_ = 0;
  value end_;
};

/// A source without an end, until somebody asks for it.
class endless {
 public:
  /// No more after those that were pulled by now. For any thread.
  void end() { ended_.store(true, std::memory_order_relaxed); }

  bool operator()(value& batch) {
    asm volatile("" : : "r"(this) : "memory");
    if (ended_.load(std::memory_order_relaxed)) return false;
    batch = next_++;
    return true;
  }

 private:
  value next_ = 0;
  std::atomic<bool> ended_{false};
};

}  // namespace benchmarks
