// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `weight` that is not a constant
//
// The compiler lays tasks out by their weights, so it has to know them.
//
// expect-error: the_weight_of_a_task_is_not_a_static_constexpr_int<forward>
// expect-text: the weight of task `forward` is not a constant number: write `static constexpr int weight = 300;`
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
#ifdef FIXED
  static constexpr int weight = 300;
#else
  int weight = 300;
#endif
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"memcpy", "compute">,
                   st::threads<st::generated<2>>, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
