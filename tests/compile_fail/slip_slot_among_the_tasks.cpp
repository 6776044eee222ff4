// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot among the parts of a schedule
//
// A slot is no part by itself: `source` and `result` say what is to be done with it.
//
// expect-error: a_slot_is_among_the_tasks_use_it_in_source_or_result<loss>
// expect-text: `loss` is a slot, but stands where a schedule has its tasks and parts
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
struct training
    : st::schedule<st::source<raw_batch>, loss, st::streams<"memcpy", "compute">, h2d, forward> {};
#endif

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
