// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body that changes what it only reads
//
// Other tasks may read the slot at the same time. A task that lists it in `reads` gets it as const;
// one that lists it in `writes` may change it, and is ordered with the others.
//
// expect-error: a_task_takes_to_change_a_slot_that_it_only_reads<forward, batch>
// expect-text: task `forward` takes slot `batch` to change it, but only reads it
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
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
#else
  void operator()(int& in, float& out) const { out = static_cast<float>(in++); }
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
