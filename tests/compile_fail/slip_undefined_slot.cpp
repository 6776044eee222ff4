// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot that is declared, but not defined
//
// What type of value a slot holds stands in its definition. A declaration is enough to list the
// slot, not to make a pipeline of the task.
//
// expect-error: a_task_writes_what_is_not_a_slot<h2d, batch>
// expect-text: task `h2d` writes `batch`, which is not a slot, or not defined here
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
#ifdef FIXED
struct batch : st::slot<int> {};
#else
struct batch;
#endif
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
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
