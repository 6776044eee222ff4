// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include "../common/clock.hpp"
#include "tasks.hpp"

namespace benchmarks::by_hand {

/// What a run of a side gives: the sum of its results, and how long it took, threads being there.
struct outcome {
  value sum;
  std::int64_t took;  ///< nanoseconds
};

class stopwatch {
 public:
  outcome stop(value sum) const { return {sum, nanoseconds() - start_}; }

 private:
  std::int64_t start_ = nanoseconds();
};

}  // namespace benchmarks::by_hand
