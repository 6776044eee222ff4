// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A result that no task writes
//
// The slots in `result` are handed to the loop for each batch, so a task has to write them. A
// schedule that has no result leaves `result` out: its runs then yield the number of the batch.
//
// expect-error: rule_5_no_task_writes_a_slot_that_is_a_result<training, loss>
// expect-text: rule 5: the result `loss` is written by no task
// expect-at: pipeline<training> pipeline
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
#ifdef FIXED
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
#else
  void operator()(int) const {}
#endif
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
