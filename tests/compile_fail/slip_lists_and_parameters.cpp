// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Slots listed, and named by parameters, too
//
// A body gets the slots of `reads` and `writes` by their place in the lists, and others by what
// its parameters say. One of the two is enough, and two could say different things.
//
// expect-error: a_task_lists_its_slots_and_takes_them_as_in_or_out_too<h2d>
// expect-text: task `h2d` lists slots in `reads` or `writes`, and takes slots as parameters such as `in` and `out`; keep one of the two
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
#ifndef FIXED
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
#endif
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
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
