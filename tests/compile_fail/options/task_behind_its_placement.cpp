// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task stands behind where it is placed
//
// `place` takes the task first.
//
// expect-error: a_placement_is_not_a_stream_a_lookahead_a_thread_or_a_weight<add
// expect-text: `add` is no placement; `stream`, `lookahead`, `thread` and `weight` are, and a task comes before them: `stretto::place<add, stretto::lookahead<1>>`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct sum : st::slot<int> {};

struct add {
  void operator()(st::in<number> in, st::out<sum> out) const { out = *in + 1; }
};

#ifdef FIXED
using placed = st::place<add, st::lookahead<1>>;
#else
using placed = st::place<st::lookahead<1>, add>;
#endif
struct training : st::schedule<st::source<number>, st::result<sum>, add, placed> {};

void run() { st::pipeline<training> pipeline; }
