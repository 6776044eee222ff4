// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task reads the slot that it writes
//
// A task gets the slots that it writes by reference and may look at what is in them. Listing the
// slot in `reads` as well would ask for a value from before the task's own run, which nobody wrote.
//
// expect-error: rule_5_a_task_reads_the_slot_that_it_writes<augment, batch>
// expect-text: rule 5: task `augment` reads slot `batch`, which it writes itself; drop the read
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

struct augment {
  using stream = st::stream<"memcpy">;
#ifdef FIXED
  using writes = st::writes<batch>;
  void operator()(int& in_place) const { ++in_place; }
#else
  using reads = st::reads<batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in + 1; }
#endif
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, augment, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
