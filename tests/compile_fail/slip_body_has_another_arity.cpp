// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body with too few or too many parameters
//
// The body is called with the task's slots, reads first, then writes, in the order listed. If no
// single parameter explains why it cannot be called, the error shows the whole signature that it
// needs.
//
// expect-error: a_task_has_no_public_call_operator_for_its_slots<h2d, void ?\((int const|const int) ?&, int ?&\)>
// expect-text: task `h2d` has no public call operator for its slots, reads first, then writes: `void ?\(const int ?&, int ?&\)`
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
  void operator()(int in, int& out) const { out = in; }
#else
  void operator()(int& out) const { out = 0; }
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
