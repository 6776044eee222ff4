// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source is given two slots
//
// It fills one, whose type may hold several values.
//
// expect-error: a_placement_is_not_a_stream_a_lookahead_a_thread_or_a_weight<other
// expect-text: `other` is no placement; `stream`, `lookahead`, `thread` and `weight` are; a source fills one slot, the first: let that hold all that comes together
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct sum : st::slot<int> {};

struct other : st::slot<int> {};

struct add {
  void operator()(st::in<number> in, st::out<sum> out) const { out = *in + 1; }
};

#ifdef FIXED
using filled = st::source<number>;
#else
using filled = st::source<number, other>;
#endif
struct training : st::schedule<filled, st::result<sum>, add> {};

void run() { st::pipeline<training> pipeline; }
