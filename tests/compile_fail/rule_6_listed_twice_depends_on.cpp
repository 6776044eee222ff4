// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A dependency is listed twice
//
// The second entry orders nothing that the first does not. Usually another task was meant.
//
// expect-error: rule_6_one_field_lists_the_same_entry_twice<backward, zero_grad>
// expect-text: rule 6: task `backward` lists `zero_grad` twice in depends_on
// expect-at: pipeline<training> pipeline
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

struct zero_grad {
  using stream = st::stream<"compute">;
  void operator()() const {}
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct backward {
  using stream = st::stream<"compute">;
#ifdef FIXED
  using depends_on = st::depends_on<zero_grad, forward>;
#else
  using depends_on = st::depends_on<zero_grad, forward, zero_grad>;
#endif
  void operator()() const {}
};

struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"memcpy", "compute">, h2d,
                   zero_grad, forward, backward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
