// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stretto/dynamic.hpp>
#include "../common/clock.hpp"

// Schedules whose tasks take the core for as long as their weights say.

namespace benchmarks::model {

namespace dynamic = stretto::dynamic;

inline void spin(std::int64_t nanoseconds) {
  const std::uint64_t length =
      static_cast<std::uint64_t>(nanoseconds) * ticks_per_microsecond() / 1000;
  const std::uint64_t start = ticks();
  while (ticks() - start < length) {
  }
}

/// With bodies: a weight is in nanoseconds.
inline dynamic::schedule spinning(dynamic::schedule s) {
  for (dynamic::task& t : s.tasks)
    t.body = [time = t.weight](dynamic::slot_access&) { spin(time); };
  return s;
}

/// Runs \p batches batches. How long that took from the first pull to the last result, in
/// nanoseconds.
template <class Pipeline>
double run(Pipeline& pipeline, std::size_t batches) {
  std::int64_t begun = 0;
  std::size_t pulled = 0;
  const auto pull = [&](int& slot) {
    if (pulled == 0) begun = nanoseconds();
    if (pulled == batches) return false;
    slot = static_cast<int>(pulled++);
    return true;
  };
  for (const dynamic::result& r : pipeline.template run<int>(pull)) (void)r;
  return static_cast<double>(nanoseconds() - begun);
}

}  // namespace benchmarks::model
