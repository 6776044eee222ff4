// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot is read further ahead than it is written
//
// A task with a higher lookahead meets a batch earlier. If it reads what a task with a lower
// lookahead writes, the value does not exist yet: the writer must work at least as far ahead as the
// reader.
//
// expect-error: rule_5_a_slot_is_read_further_ahead_than_it_is_written<forward, h2d, batch, (stretto::invalid::)?raise_lookahead<h2d, 1> ?>
// expect-text: rule 5: task `forward` reads slot `batch` at lookahead 1, but `h2d` writes it only at lookahead 0; raise the lookahead of `h2d` to at least 1
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
#ifdef FIXED
  static constexpr int lookahead = 1;
#endif
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct forward {
  static constexpr int lookahead = 1;
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
