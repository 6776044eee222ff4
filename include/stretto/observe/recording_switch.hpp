// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>

namespace stretto::observe::detail {

/// Whether recording is on. Any thread may change it or ask. Counts how often that changed: what
/// began and ended at one count has seen no change in between.
class recording_switch {
 public:
  using count = std::uint32_t;

  recording_switch() = default;
  // For records, which are copied when nothing runs.
  recording_switch(const recording_switch& other) : changes_(other.now()) {}
  recording_switch& operator=(const recording_switch& other) {
    // Relaxed: who copies a record has waited for those that write to it.
    changes_.store(other.now(), std::memory_order_relaxed);
    return *this;
  }

  /// Relaxed: no thread is handed anything by it. A record's parts are written by one thread each
  /// and read when these have ended, which orders them; seen late, it only counts from a task later
  /// on. One thread's loads come in the order of changes, so what began and ended at one count did
  /// so between two changes.
  count now() const { return changes_.load(std::memory_order_relaxed); }
  static bool is_on(count at) { return at % 2 == 0; }
  /// A count that it has never been at.
  static constexpr count never = ~count{0};
  /// How many stretches there were before.
  static count stretch(count at) { return at / 2; }

  /// What follows is a stretch of its own, if it is on.
  void begin_stretch() {
    count seen = now();  // relaxed, as above
    while (is_on(seen) &&
           !changes_.compare_exchange_weak(seen, seen + 2, std::memory_order_relaxed)) {
    }
  }
  void turn(bool on) {
    // Relaxed, as above; the exchange itself keeps two threads that turn it at once from counting
    // twice.
    count seen = now();
    while (is_on(seen) != on &&
           !changes_.compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed)) {
    }
  }

 private:
  std::atomic<count> changes_{0};  // even: on
};

}  // namespace stretto::observe::detail
