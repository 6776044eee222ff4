// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `lookahead` is a character
//
// A lookahead is a number of batches. The character `'1'` has the number 49, which nobody means.
//
// expect-error: the_lookahead_of_a_task_is_not_a_static_constexpr_int<load
// expect-text: the lookahead of task `load` is not a constant number: write `static constexpr int lookahead = 1;`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};

struct load {
#ifdef FIXED
  static constexpr int lookahead = 1;
#else
  static constexpr char lookahead = '1';
#endif
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
};

struct training : st::schedule<st::source<raw_batch>, st::result<batch>, load> {};

void run() { st::pipeline<training> pipeline; }
