// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Two tasks write one slot at the same lookahead
//
// If two tasks write a batch's slot at the same lookahead, which value a reader sees depends on who
// came last. Writers at different lookaheads are fine: the later one updates what the earlier one
// wrote.
//
// expect-error: rule_4_two_tasks_write_one_slot_at_the_same_lookahead<auxiliary_loss, forward, loss>
// expect-text: rule 4: task `auxiliary_loss` and `forward` both write slot `loss` at lookahead 0
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// expect-compilers: all
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct penalty : st::slot<float> {};

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

struct auxiliary_loss {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
#ifdef FIXED
  using writes = st::writes<penalty>;
#else
  using writes = st::writes<loss>;
#endif
  void operator()(int in, float& out) const { out = static_cast<float>(in) / 2; }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward, auxiliary_loss> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
