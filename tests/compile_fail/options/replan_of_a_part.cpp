// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A plan is given a part where the schedule is to be
//
// `replan` takes the schedule first, and behind it what is planned otherwise.
//
// expect-error: what_was_given_as_a_schedule_is_none_or_is_not_defined_here<
// expect-text: a plan of a schedule is given that first, and `place`, `threads` and the like behind; here it is given `place<add, [a-z:]*lookahead<1> ?>` first
// expect-at: pipeline<plan> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct sum : st::slot<int> {};

struct add {
  void operator()(st::in<number> in, st::out<sum> out) const { out = *in + 1; }
};

struct training : st::schedule<st::source<number>, st::result<sum>, add> {};

#ifdef FIXED
struct plan : st::replan<training, st::place<add, st::lookahead<1>>> {};
#else
struct plan : st::replan<st::place<add, st::lookahead<1>>, training> {};
#endif

void run() { st::pipeline<plan> pipeline; }
