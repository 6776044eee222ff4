// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `weight` is a truth value
//
// A weight says how long the task takes. A `bool` would do for one, and mean 1.
//
// expect-error: the_weight_of_a_task_is_not_a_static_constexpr_int<load
// expect-text: the weight of task `load` is not a constant number: write `static constexpr int weight = 300;`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};

struct load {
#ifdef FIXED
  static constexpr int weight = 300;
#else
  static constexpr bool weight = true;
#endif
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
};

struct training : st::schedule<st::source<raw_batch>, st::result<batch>, load> {};

void run() { st::pipeline<training> pipeline; }
