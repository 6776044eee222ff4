// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `lookahead` given as a type
//
// In a task `lookahead` is a number. The type `stretto::lookahead<N>` belongs in `place` and
// `source`.
//
// expect-error: the_lookahead_of_a_task_is_not_a_static_constexpr_int<h2d>
// expect-text: the lookahead of task `h2d` is not a constant number: write `static constexpr int lookahead = 1;`
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
#ifdef FIXED
  static constexpr int lookahead = 1;
#else
  using lookahead = st::lookahead<1>;
#endif
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
