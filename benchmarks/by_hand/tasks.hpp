// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

// What both sides do: 14 tasks that each bump a counter of their own. The first ones pass a value
// along, each one more than it got; the others read what came of it, and the last hands it out.

namespace benchmarks::by_hand {

using value = std::uint64_t;

inline constexpr std::size_t cache_line = 64;
inline constexpr int tasks = 14;

/// Volatile: no two bumps become one, on either side.
struct alignas(cache_line) counter {
  volatile value n = 0;
};
inline std::array<counter, tasks> counters;

inline void restart_counters() {
  for (counter& c : counters) c.n = 0;
}
inline bool all_counted(value batches) {
  return std::all_of(counters.begin(), counters.end(),
                     [=](const counter& c) { return c.n == batches; });
}

template <int Task>
inline void load(value in, value& out) {
  counters[Task].n = counters[Task].n + 1;
  out = in + 1;
}
template <int Task>
inline void look_at(value in) {
  counters[Task].n = counters[Task].n + 1;
  asm volatile("" : : "r"(in));
}
template <int Task>
inline value hand_out(value in) {
  counters[Task].n = counters[Task].n + 1;
  return in;
}

/// How the tasks are split: the first of them load, on a thread `io`, as far ahead as batches in
/// flight allow; the others are on the calling thread, up to three of them one batch ahead.
struct split {
  int on_io;
  int in_flight;

  constexpr int furthest() const { return in_flight - 1; }
  constexpr int one_ahead() const { return in_flight > 2 ? std::min(3, tasks - on_io - 1) : 0; }
  constexpr int lookahead(int task) const {
    return task < on_io ? furthest() : task < on_io + one_ahead() ? 1 : 0;
  }
  /// What a batch is when all is done.
  constexpr value result(value batch) const { return batch + static_cast<value>(on_io); }
};

/// The tasks `First` to `First + Count - 1`, by the loops by hand.
template <int First, int Count>
struct row {
  static value load(value v) { return load(v, std::make_integer_sequence<int, Count>()); }
  static void look_at(value v) { look_at(v, std::make_integer_sequence<int, Count>()); }

 private:
  template <int... I>
  static value load(value v, std::integer_sequence<int, I...>) {
    (by_hand::load<First + I>(v, v), ...);
    return v;
  }
  template <int... I>
  static void look_at([[maybe_unused]] value v, std::integer_sequence<int, I...>) {
    (by_hand::look_at<First + I>(v), ...);
  }
};

/// What one batch goes through, cut where batches, and threads, change.
template <split S>
struct steps {
  static value load(value v) { return row<0, S.on_io>::load(v); }
  static void ahead(value v) { row<S.on_io, S.one_ahead()>::look_at(v); }
  static value rest(value v) {
    constexpr int first = S.on_io + S.one_ahead();
    row<first, tasks - 1 - first>::look_at(v);
    return hand_out<tasks - 1>(v);
  }
};

}  // namespace benchmarks::by_hand
