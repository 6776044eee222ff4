// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include "../common/clock.hpp"
#include "../common/relax.hpp"
#include "tasks.hpp"

namespace benchmarks::by_hand {

/// The source of both sides: batches 0 to N - 1. Who pulls does not know the end before.
class numbers {
 public:
  explicit numbers(value batches) : end_(batches) {}

  bool operator()(value& batch) {
    if (next_ == end_) return false;
    batch = next_++;
    return true;
  }

 private:
  value next_ = 0;
  value end_;
};

/// Such a source that takes a microsecond for each batch.
class slow_numbers {
 public:
  explicit slow_numbers(value batches) : numbers_(batches) {}

  bool operator()(value& batch) {
    const std::uint64_t start = ticks();
    while (ticks() - start < each_) relax();
    return numbers_(batch);
  }

 private:
  numbers numbers_;
  std::uint64_t each_ = ticks_per_microsecond();
};

}  // namespace benchmarks::by_hand
