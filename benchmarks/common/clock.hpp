// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstdint>
#if defined(__x86_64__)
#  include <x86intrin.h>
#endif

namespace benchmarks {

inline std::int64_t nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

#if defined(__x86_64__)
inline std::uint64_t ticks() { return __rdtsc(); }
#else
inline std::uint64_t ticks() { return static_cast<std::uint64_t>(nanoseconds()); }
#endif

/// How many ticks a microsecond has, found out once. Needs a time-stamp counter that runs evenly,
/// as those of the last fifteen years do.
inline std::uint64_t ticks_per_microsecond() {
  static const std::uint64_t found = [] {
    const std::int64_t start = nanoseconds();
    const std::uint64_t first = ticks();
    std::int64_t now = start;
    while (now - start < 20'000'000) now = nanoseconds();
    return (ticks() - first) * 1000 / static_cast<std::uint64_t>(now - start);
  }();
  return found;
}

}  // namespace benchmarks
