// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A queue without room
//
// A queue of no batches is none; leave it out.
//
// expect-error: a_queue_has_room_for_1_to_100000_batches<(st|stretto)::queue<.*, 0> ?>
// expect-error-nvcc: a_queue_has_room_for_1_to_100000_batches<queued>
// expect-text: thread group `memcpy` has a queue of 0 batches; a queue has room for 1 to 100,000
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
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
using queued = st::queue<"memcpy", 2>;
#else
using queued = st::queue<"memcpy", 0>;
#endif

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, queued, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
