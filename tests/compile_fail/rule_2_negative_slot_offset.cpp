// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot at a negative offset
//
// `at_offset<slot, N>` in `reads` and `writes` states how many batches ahead the slot is touched.
// Like a task's lookahead, that counts from 0, the training step.
//
// expect-error: rule_2_the_offset_of_a_slot_is_negative<h2d, batch
// expect-text: rule 2: task `h2d` writes slot `batch` at offset -1; the least is 0
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
#ifdef FIXED
  using writes = st::writes<st::at_offset<batch, 1>>;
#else
  using writes = st::writes<st::at_offset<batch, -1>>;
#endif
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
