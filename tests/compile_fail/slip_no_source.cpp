// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule without a source
//
// A plan can be made without a source, but a run needs to know which slot a batch is put into.
//
// expect-error: the_schedule_has_no_source<training>
// expect-text: schedule `training` has no source: add `stretto::source<slot>`
// expect-lines: 15
// expect-compilers: all
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

struct step {
  using writes = st::writes<loss>;
  void operator()(float& out) const { out = 0; }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, step> {};
#else
struct training : st::schedule<st::result<loss>, st::streams<"memcpy", "compute">, step> {};
#endif

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
