// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot is listed twice in `writes`
//
// The body gets one reference per slot. The same slot twice would be two references to one value;
// usually another slot was meant.
//
// expect-error: rule_6_one_field_lists_the_same_entry_twice<h2d, batch>
// expect-text: rule 6: task `h2d` lists `batch` twice in writes
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
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
#else
  using writes = st::writes<batch, batch>;
  void operator()(int in, int& out, int& again) const { out = again = in; }
#endif
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
