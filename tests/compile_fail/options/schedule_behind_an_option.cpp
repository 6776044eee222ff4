// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A pipeline's schedule stands behind an option
//
// The schedule comes first.
//
// expect-error: the_schedule_is_the_first_that_a_pipeline_is_given<
// expect-text: a pipeline is given its schedule first, and options behind: write `stretto::pipeline<training, [a-z:]*barrier>`
// expect-at: pipeline<st::barrier, training> pipeline
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
  st::pipeline<training, st::barrier> pipeline;
#else
  st::pipeline<st::barrier, training> pipeline;
#endif
}
