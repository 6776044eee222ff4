// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task with a pointer that nothing sets is not passed
//
// The pipeline makes tasks by itself that it is not passed. A pointer to which neither its
// declaration nor a constructor gives a value is null then, and the body goes by it. (Of members
// that are private nobody can tell.)
//
// expect-error: a_task_has_a_pointer_that_nothing_sets_and_was_not_passed_to_the_pipeline<scale, stretto::invalid::member_number<1>
// expect-text: task `scale` has a pointer, its member number 1, that nothing sets, and was not passed to the pipeline: stretto::pipeline<...> p{scale{...}}; or, if it is to be null at first, say `= nullptr` where it is declared
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<float> {};
struct scaled : st::slot<float> {};

struct scale {
  const float* factor;
  int shift;
  void operator()(st::in<number> in, st::out<scaled> out) const { out = *in * *factor; }
};

struct training : st::schedule<st::source<number>, st::result<scaled>, scale> {};

void run([[maybe_unused]] const float& factor) {
#ifdef FIXED
  st::pipeline<training> pipeline{scale{&factor, 0}};
#else
  st::pipeline<training> pipeline;
#endif
}
