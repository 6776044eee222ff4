// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task returns what belongs in a slot
//
// A body returns nothing: what it computes for others it writes to a slot. What it returns would be
// lost.
//
// expect-error: a_task_returns_a_value_that_nobody_takes<forward, float>
// expect-text: task `forward` returns `float`, which nobody takes; write it to a slot, or return nothing
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// expect-compilers: each
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct forward {
#ifdef FIXED
  void operator()(st::in<raw_batch> in, st::out<loss> out) const { out = static_cast<float>(*in); }
#else
  float operator()(st::in<raw_batch> in, st::out<loss>) const { return static_cast<float>(*in); }
#endif
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
