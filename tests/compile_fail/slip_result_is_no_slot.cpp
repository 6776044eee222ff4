// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `result` names what is not a slot
//
// A result is a slot that some task writes, not the type of its value.
//
// expect-error: a_result_is_not_a_slot<float>
// expect-text: a result is `float`, which is not a slot
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
struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<float>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};
#endif

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
