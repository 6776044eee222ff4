// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `inout` of a slot that nobody wrote before
//
// A task that takes a slot as `inout` updates what a task further ahead wrote for the same batch.
// Without one it would find what an earlier batch left in that copy, which is what `out` is for.
//
// expect-error: a_task_updates_a_slot_that_no_task_further_ahead_writes<h2d, batch>
// expect-text: task `h2d` takes slot `batch` as `inout`, but no task further ahead writes it; take it as `out`, or let another write it at a larger lookahead
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
#ifdef FIXED
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { *out += *in; }
#else
  void operator()(st::in<raw_batch> in, st::inout<batch> out) const { *out += *in; }
#endif
};

struct forward {
  using stream = st::stream<"compute">;
  void operator()(st::in<batch> in, st::out<loss> out) const { out = static_cast<float>(*in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
