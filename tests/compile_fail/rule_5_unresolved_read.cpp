// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot is read that no task writes
//
// Every value that a task reads comes from the source or from another task. If nobody writes the
// slot, the task that does is missing in the schedule, or the wrong slot is named.
//
// expect-error: rule_5_no_task_writes_a_slot_that_is_read<forward, labels>
// expect-text: rule 5: task `forward` reads slot `labels`, which no task writes
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// expect-compilers: all
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct labels : st::slot<int> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
#ifdef FIXED
  using writes = st::writes<batch, labels>;
  void operator()(int in, int& out, int& label) const { out = label = in; }
#else
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
#endif
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch, labels>;
  using writes = st::writes<loss>;
  void operator()(int in, int label, float& out) const { out = static_cast<float>(in - label); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
