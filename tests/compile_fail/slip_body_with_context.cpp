// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body with a context, and a parameter that does not fit
//
// A body may take a context in front of its slots. The arguments are counted without it.
//
// expect-error: a_task_does_not_take_what_it_reads_or_writes<h2d, (stretto::invalid::)?argument<1, (int const|const int) ?&>, raw_batch>
// expect-text: task `h2d` does not take slot `raw_batch`
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
#ifdef FIXED
  void operator()(st::context auto& ctx, int in, int& out) const {
    out = in + static_cast<int>(ctx.batch());
  }
#else
  void operator()(st::context auto& ctx, const char* in, int& out) const {
    out = *in + static_cast<int>(ctx.batch());
  }
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
