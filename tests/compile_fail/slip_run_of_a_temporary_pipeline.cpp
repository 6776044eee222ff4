// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run of a temporary pipeline
//
// A run refers to its pipeline. In the head of a loop a temporary is gone before the loop begins.
//
// expect-error: a_run_is_of_a_temporary_pipeline_give_the_pipeline_a_name<stretto::pipeline<training>
// expect-error-nvcc: a_run_is_of_a_temporary_pipeline_give_the_pipeline_a_name<stretto::pipeline<training
// expect-text: `stretto::pipeline<training>` is a temporary here, gone before its run is over
// expect-at: training>{}.run
// expect-lines: 18
// expect-compilers: each
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
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  float total = 0;
#ifdef FIXED
  st::pipeline<training> pipeline;
  for (const float l : pipeline.run(batches)) total += l;
#else
  for (const float l : st::pipeline<training>{}.run(batches)) total += l;
#endif
  return total;
}
