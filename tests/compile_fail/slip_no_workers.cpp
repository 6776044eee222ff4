// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A group with no workers
//
// A group has at least one thread to run on, and at most 99.
//
// expect-error: a_thread_group_has_1_to_99_workers<(st|stretto)::workers<.*, 0> ?>
// expect-error-nvcc: a_thread_group_has_1_to_99_workers<several>
// expect-text: thread group `load` has 0 workers; a group has 1 to 99
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using thread = st::thread<"load">;
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
using several = st::workers<"load", 2>;
#else
using several = st::workers<"load", 0>;
#endif

struct training : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"compute">,
                               several, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
