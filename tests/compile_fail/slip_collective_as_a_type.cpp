// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `collective` is not a constant
//
// Collectives get tickets in one order for all ranks, which is worked out at compile time: whether
// a task is one must be a `static constexpr bool`.
//
// expect-error: whether_a_task_is_collective_is_not_a_static_constexpr_bool<h2d>
// expect-text: `collective` of task `h2d` is not a constant: write `static constexpr bool collective = true;`
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <type_traits>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
#ifdef FIXED
  static constexpr bool collective = true;
#else
  using collective = std::true_type;
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
