// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `in` names a type that is no slot
//
// As the entries of `reads` and `writes`, those of `in`, `out` and `inout` are slots.
//
// expect-error: a_task_reads_what_is_not_a_slot<h2d, int>
// expect-text: task `h2d` reads `int`, which is not a slot
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
  void operator()(st::in<raw_batch> in, st::out<batch> out) const { out = *in; }
#else
  void operator()(st::in<int> in, st::out<batch> out) const { out = *in; }
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
