// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body that takes what it writes by value or as const
//
// What is written to a copy never gets into the slot. A body takes what its task writes by
// reference. It may also take what only a slot that may be changed converts to, such as a
// `std::span<float>` of a `std::vector<float>`.
//
// expect-error: a_task_takes_by_value_or_as_const_a_slot_that_it_writes<h2d, batch>
// expect-text: task `h2d` takes slot `batch` by value or as const, but writes it; take it as `int&`
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
  void operator()(int in, int out) const { out = in; }
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
