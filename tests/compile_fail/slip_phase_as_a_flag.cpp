// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `phase` is a truth value
//
// A phase is the place of a batch among as many as `every` says, from 0. A `bool` would do for one,
// and mean the second.
//
// expect-error: the_every_or_the_phase_of_a_task_is_not_a_static_constexpr_int<load
// expect-text: the `every` or the `phase` of task `load` is not a constant number: write `static constexpr int every = 4;`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};

struct load {
  static constexpr int every = 4;
#ifdef FIXED
  static constexpr int phase = 1;
#else
  static constexpr bool phase = true;
#endif
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
};

struct training : st::schedule<st::source<raw_batch>, load> {};

void run() { st::pipeline<training> pipeline; }
