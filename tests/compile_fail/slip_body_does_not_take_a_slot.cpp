// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body whose parameter does not fit its slot
//
// The body is called with the task's slots, reads first, then writes, in the order listed. The
// error names the first slot that the body does not take, and which argument it is.
//
// expect-error: a_task_does_not_take_what_it_reads_or_writes<h2d, (stretto::invalid::)?argument<2, int ?&>, batch>
// expect-text: task `h2d` does not take slot `batch` where its body gets it: argument 2 has type `int ?&`; take it as that
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
#ifdef FIXED
  void operator()(int in, int& out) const { out = in; }
#else
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
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
