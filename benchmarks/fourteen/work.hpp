// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
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

/// A microsecond of a core.
struct microsecond {
  template <std::size_t Task, class... Slot>
  static void task(Slot&... slots) {
    const std::uint64_t start = ticks();
    nothing::task<Task>(slots...);
    while (ticks() - start < duration) {
    }
  }
  static void progressed() {}

  /// Ticks; to be set before use.
  static inline std::uint64_t duration = 0;
};

/// The same work, timed: the last task, which is on the thread that pulls, ends the source.
template <class Work>
struct stamped : Work {
  static inline windows* seen = nullptr;
  static inline counted* source = nullptr;
  static void progressed() {
    if (seen->progressed()) source->end();
  }
};

}  // namespace benchmarks::work
