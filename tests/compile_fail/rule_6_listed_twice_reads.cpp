// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot is listed twice in `reads`
//
// The body gets one argument per slot. The same slot twice would be the same argument twice;
// usually another slot was meant.
//
// expect-error: rule_6_one_field_lists_the_same_entry_twice<forward, batch>
// expect-text: rule 6: task `forward` lists `batch` twice in reads
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
  using writes = st::writes<loss>;
#ifdef FIXED
  using reads = st::reads<batch>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
#else
  using reads = st::reads<batch, batch>;
  void operator()(int in, int again, float& out) const { out = static_cast<float>(in + again); }
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
