// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Batches pushed to a source on a thread of its own
//
// Whoever pushes is the calling thread, and pulls what it pushed. A source with a thread pulls
// there.
//
// expect-error: batches_are_pushed_to_a_pipeline_whose_calling_thread_pulls<stretto::pipeline<training>
// expect-error-nvcc: batches_are_pushed_to_a_pipeline_whose_calling_thread_pulls<stretto::pipeline<training
// expect-text: thread `reader` pulls those of `training`
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

#ifdef FIXED
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};
#else
struct training
    : st::schedule<st::source<number, st::thread<"reader">>, st::result<square>, multiply> {};
#endif

int train() {
  st::pipeline<training> pipeline;
  st::push_run steps(pipeline);
  int total = 0;
  if (steps.push(3)) total += steps.result();
  while (steps.flush()) total += steps.result();
  return total;
}
