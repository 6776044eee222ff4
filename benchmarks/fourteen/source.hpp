// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include "pipeline.hpp"

namespace benchmarks {

/// The source of every variant: so many batches, each its number. As with a source that reads a
/// file, who pulls cannot see into it, nor when it will end.
class counted {
 public:
  explicit counted(std::size_t batches) : end_(batches) {}
  /// No more after those that were pulled. For the thread that pulls.
  void end() { end_ = next_; }

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

}  // namespace benchmarks
