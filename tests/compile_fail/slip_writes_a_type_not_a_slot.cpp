// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `writes` names what is not a slot
//
// Two values of one type are two slots, so `writes` takes slots, not types: a struct derived from
// `stretto::slot<T>` gives the value its name.
//
// expect-error: a_task_writes_what_is_not_a_slot<h2d, int>
// expect-text: task `h2d` writes `int`, which is not a slot
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
#ifdef FIXED
  using writes = st::writes<batch>;
#else
  using writes = st::writes<int>;
#endif
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
