// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule without a source, of which a task reads the slot
//
// No task writes the slot of the source, so without the source nobody fills it.
//
// expect-error: the_schedule_has_no_source<epoch>
// expect-text: schedule `epoch` has no source: add `stretto::source<slot>`
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
struct epoch : st::schedule<st::source<raw_batch>, st::result<loss>,
                            st::streams<"memcpy", "compute">, h2d, forward> {};
#else
struct epoch : st::schedule<st::result<loss>, st::streams<"memcpy", "compute">, h2d, forward> {};
#endif

float sum(const int (&batches)[3]) {
  st::pipeline<epoch> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
