// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `weight` that is not a whole number
//
// Weights are whole numbers of a unit that all tasks share: take a smaller unit.
//
// expect-error: the_weight_of_a_task_is_not_a_static_constexpr_int<forward>
// expect-text: the weight of task `forward` is not a constant
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
  static constexpr int weight = 1;
#else
  static constexpr double weight = 0.5;
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
