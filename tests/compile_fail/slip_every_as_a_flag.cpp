// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `every` is a truth value
//
// `every` is the number of batches of which the task works on one. A `bool` would do for it, and
// mean each batch.
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
#ifdef FIXED
  static constexpr int every = 4;
#else
  static constexpr bool every = true;
#endif
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
};

struct training : st::schedule<st::source<raw_batch>, load> {};

void run() { st::pipeline<training> pipeline; }
