// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include "cores.hpp"
#include "outcome.hpp"
#include "tasks.hpp"

// One thread by hand: three batches in flight, in three ways.

namespace benchmarks::by_hand {

/// Batches in memory, as they would be if they held more than a number; pointers to them move on.
template <split S, class Source>
outcome one_thread_in_memory(value batches) {
  static_assert(S.in_flight == 3);
  using step = steps<S>;
  const pinned_caller caller;
  std::array<value, 3> ring{};
  value* two_ahead = &ring[2];
  value* one_ahead = &ring[1];
  value* now = &ring[0];
  Source source(batches);
  value sum = 0;
  const stopwatch time;
  if (!source(*now)) return time.stop(sum);
  *now = step::load(*now);
  step::ahead(*now);
  if (!source(*one_ahead)) return time.stop(step::rest(*now));
  *one_ahead = step::load(*one_ahead);
  while (source(*two_ahead)) {
    *two_ahead = step::load(*two_ahead);
    step::ahead(*one_ahead);
    sum += step::rest(*now);
    value* const done = now;
    now = one_ahead;
    one_ahead = two_ahead;
    two_ahead = done;
  }
  step::ahead(*one_ahead);
  sum += step::rest(*now);
  sum += step::rest(*one_ahead);
  return time.stop(sum);
}

/// Batches in registers, which move on by one.
template <split S, class Source>
outcome one_thread_in_registers(value batches) {
  static_assert(S.in_flight == 3);
  using step = steps<S>;
  const pinned_caller caller;
  value two_ahead = 0;
  value one_ahead = 0;
  value now = 0;
  Source source(batches);
  value sum = 0;
  const stopwatch time;
  if (!source(now)) return time.stop(sum);
  now = step::load(now);
  step::ahead(now);
  if (!source(one_ahead)) return time.stop(step::rest(now));
  one_ahead = step::load(one_ahead);
  while (source(two_ahead)) {
    two_ahead = step::load(two_ahead);
    step::ahead(one_ahead);
    sum += step::rest(now);
    now = one_ahead;
    one_ahead = two_ahead;
  }
  step::ahead(one_ahead);
  sum += step::rest(now);
  sum += step::rest(one_ahead);
  return time.stop(sum);
}

/// Three progresses per turn of the loop, so that nothing moves.
template <split S, class Source>
outcome one_thread_unrolled(value batches) {
  static_assert(S.in_flight == 3);
  using step = steps<S>;
  const pinned_caller caller;
  value a = 0;
  value b = 0;
  value c = 0;
  Source source(batches);
  value sum = 0;
  const auto progress = [&](value& two_ahead, value one_ahead, value now) {
    if (!source(two_ahead)) {
      step::ahead(one_ahead);
      sum += step::rest(now);
      sum += step::rest(one_ahead);
      return false;
    }
    two_ahead = step::load(two_ahead);
    step::ahead(one_ahead);
    sum += step::rest(now);
    return true;
  };
  const stopwatch time;
  if (!source(a)) return time.stop(sum);
  a = step::load(a);
  step::ahead(a);
  if (!source(b)) return time.stop(step::rest(a));
  b = step::load(b);
  while (progress(c, b, a) && progress(a, c, b) && progress(b, a, c)) continue;
  return time.stop(sum);
}

}  // namespace benchmarks::by_hand
