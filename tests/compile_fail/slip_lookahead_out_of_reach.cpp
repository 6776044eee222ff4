// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A lookahead out of reach
//
// Every batch in flight has copies of slots, so a schedule reaches 100,000 batches ahead at most;
// `ago`, queues and slack have the bound, too.
//
// expect-error: the_lookahead_of_a_task_is_more_than_a_hundred_thousand_batches<h2d>
// expect-text: task `h2d` has lookahead 1000000; the most is 100000: each batch in flight has copies of slots
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
#ifdef FIXED
  static constexpr int lookahead = 10;
#else
  static constexpr int lookahead = 1'000'000;
#endif
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
