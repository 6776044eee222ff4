// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A pipeline is given the parts of a schedule
//
// It is given a schedule, which lists them.
//
// expect-error: what_was_given_as_a_schedule_is_none_or_is_not_defined_here<
// expect-text: `source<number>` is not a schedule, or not defined here: struct my_schedule : stretto::schedule<...> {};
// expect-at: pipeline<st::source<number>
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct sum : st::slot<int> {};

struct add {
  void operator()(st::in<number> in, st::out<sum> out) const { out = *in + 1; }
};

struct training : st::schedule<st::source<number>, st::result<sum>, add> {};

void run() {
#ifdef FIXED
  st::pipeline<training> pipeline;
#else
  st::pipeline<st::source<number>, st::result<sum>, add> pipeline;
#endif
}
