// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Writers of a slot on different streams
//
// A slot that is written in several steps is handed from writer to writer. On one stream that order
// costs nothing; across streams it would need waits that nobody declared.
//
// expect-error: rule_4_two_tasks_write_one_slot_on_different_streams<augment, h2d, batch>
// expect-text: rule 4: task `augment` writes slot `batch` on stream `compute`, but `h2d` writes it on stream `memcpy`; put both on one stream
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
#ifdef FIXED
  using stream = st::stream<"memcpy">;
#else
  using stream = st::stream<"compute">;
#endif
  using writes = st::writes<batch>;
  void operator()(int& in_place) const { ++in_place; }
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
