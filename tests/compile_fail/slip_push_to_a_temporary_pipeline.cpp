// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Batches pushed to a temporary pipeline
//
// Who pushes refers to the pipeline, which a temporary does not outlive.
//
// expect-error: a_run_is_of_a_temporary_pipeline_give_the_pipeline_a_name<stretto::pipeline<training>
// expect-error-nvcc: a_run_is_of_a_temporary_pipeline_give_the_pipeline_a_name<stretto::pipeline<training>
// expect-text: `stretto::pipeline<training>` is a temporary here, gone before its run is over: give the pipeline a name, and run that
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
#ifdef FIXED
  st::pipeline<training> pipeline;
  st::push_run steps(pipeline);
#else
  st::push_run steps(st::pipeline<training>{});
#endif
  int total = 0;
  if (steps.push(3)) total += steps.result();
  while (steps.flush()) total += steps.result();
  return total;
}
