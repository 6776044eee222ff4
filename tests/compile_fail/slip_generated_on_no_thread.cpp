// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A generated map without a thread
//
// The calling thread is one of the threads: the least is 1.
//
// expect-error: a_generated_thread_map_has_at_least_one_thread<(st|stretto)::generated<0> ?>
// expect-text: `generated<0>` asks for less than one thread
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
using map = st::threads<st::generated<2>>;
#else
using map = st::threads<st::generated<0>>;
#endif

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, map, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
