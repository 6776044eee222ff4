// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include "../common/clock.hpp"
#include "../common/windows.hpp"
#include "source.hpp"

// What the tasks of the pipeline do.

namespace benchmarks::work {

/// Nothing, opaquely: the compiler must have every slot's address at hand and take it that the task
/// read and wrote any memory, as with a body that it cannot see into.
struct nothing {
  template <std::size_t Task, class... Slot>
  static void task(Slot&... slots) {
    (use(slots), ...);
    asm volatile("" ::: "memory");
  }
  static void progressed() {}

 private:
  template <class Slot>
  static void use(Slot& slot) {
    asm volatile("" : : "r"(&slot) : "memory");
  }
};

/// A while of a core.
struct busy {
  template <std::size_t Task, class... Slot>
  static void task(Slot&... slots) {
    const std::uint64_t counted = turns;
    if (counted != 0) {
      nothing::task<Task>(slots...);
      spin(counted);
    } else {
      const std::uint64_t start = ticks();
      nothing::task<Task>(slots...);
      while (ticks() - start < duration) {
      }
    }
  }
  static void progressed() {}

  /// By the clock. Reading it takes as long as a short task: those count instead.
  static void lasts(std::uint64_t nanoseconds) {
    if (nanoseconds < 200) return computes(nanoseconds);
    duration = nanoseconds * ticks_per_microsecond() / 1000;
    turns = 0;
  }
  /// Of processor time, however many threads share the core.
  static void computes(std::uint64_t nanoseconds) {
    turns = std::max<std::uint64_t>(1, nanoseconds * turns_per_microsecond() / 1000);
  }

 private:
  static void spin(std::uint64_t count) {
    for (; count != 0; --count) asm volatile("" : "+r"(count));
  }
  static std::uint64_t turns_per_microsecond() {
    static const std::uint64_t found = [] {
      constexpr std::uint64_t many = 100'000;
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      for (int i = 0; i < 50; ++i) {
        const std::int64_t start = nanoseconds();
        spin(many);
        least = std::min(least, nanoseconds() - start);
      }
      return many * 1000 / static_cast<std::uint64_t>(least);
    }();
    return found;
  }

  static inline std::uint64_t duration = 0;  ///< in ticks
  static inline std::uint64_t turns = 0;     ///< of a loop that does nothing, instead
};

/// Work that is timed: the last task ends the source.
template <class Work>
struct stamped : Work {
  static inline windows* seen = nullptr;
  static inline endless* source = nullptr;
  static void progressed() {
    if (seen->progressed()) source->end();
  }
};

}  // namespace benchmarks::work
