// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task with state was not passed
//
// Tasks that can be default-constructed need not be passed to the pipeline. One that holds a
// reference, or has no default constructor for another reason, must be.
//
// expect-error: a_task_holds_state_and_was_not_passed_to_the_pipeline<forward>
// expect-text: task `forward` cannot be default-constructed and was not passed to the pipeline
// expect-lines: 15
// expect-compilers: all
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

struct model {
  float weight = 1;
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  model& parameters;
  void operator()(int in, float& out) const { out = static_cast<float>(in) * parameters.weight; }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(model& trained, const int (&batches)[3]) {
#ifdef FIXED
  st::pipeline<training> pipeline{forward{trained}};
#else
  (void)trained;
  st::pipeline<training> pipeline;
#endif
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
