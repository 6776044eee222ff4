// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A stream that the schedule does not declare
//
// `streams` lists every queue that the schedule uses, so that a misspelled stream is not quietly
// one more stream with an order of its own.
//
// expect-error: rule_3_the_stream_of_a_task_is_not_declared_by_the_schedule<h2d>
// expect-text: rule 3: task `h2d` is on stream `memcpyy`, which the schedule does not declare; add it to `streams`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// expect-compilers: all
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
#ifdef FIXED
  using stream = st::stream<"memcpy">;
#else
  using stream = st::stream<"memcpyy">;
#endif
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

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
