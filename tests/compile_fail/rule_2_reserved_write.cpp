// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task writes the slot that the source fills
//
// The slot of the source belongs to the source: it is filled when a batch is pulled, and other
// tasks may be reading it by then. A task that changes a batch writes its own version into a slot
// of its own.
//
// expect-error: rule_2_a_task_writes_the_slot_that_the_source_fills<normalise, raw_batch, (stretto::invalid::)?read_it_or_take_its_value
// expect-text: rule 2: task `normalise` writes `raw_batch`, the slot that the source fills; read it, or take its value with `takes`, and write a slot of its own
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct normalise {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
#ifdef FIXED
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in / 2; }
#else
  using writes = st::writes<raw_batch>;
  void operator()(int& in) const { in /= 2; }
#endif
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, normalise, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
