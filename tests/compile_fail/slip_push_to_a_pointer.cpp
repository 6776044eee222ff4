// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Batches pushed to what is not a pipeline
//
// A `push_run` is made of the pipeline, not of a pointer to it, of its schedule, or of a run.
//
// expect-error: batches_are_pushed_to_a_pipeline_that_can_run<stretto::pipeline<training> ?\*>
// expect-text: batches are pushed to a pipeline: to the object, which is not const, and not to a pointer, a schedule or a run; this has type `stretto::pipeline<training> ?\*`
// expect-at: push_run steps
// expect-lines: 18
// expect-compilers: each
#include <stretto/push.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in * in; }
};

struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

int train() {
  st::pipeline<training> pipeline;
#ifdef FIXED
  st::push_run steps(pipeline);
#else
  st::push_run steps(&pipeline);
#endif
  int total = 0;
  if (steps.push(3)) total += steps.result();
  while (steps.flush()) total += steps.result();
  return total;
}
