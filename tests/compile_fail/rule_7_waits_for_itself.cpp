// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task waits for itself
//
// A run that waits for its own end never starts. A task's runs are in order anyway on one stream;
// to wait for the task's run on the batch before, `cross_iter_depends_on` may name the task itself.
//
// expect-error: rule_7_tasks_wait_for_each_other_in_a_cycle<zero_grad>
// expect-text: rule 7: task `zero_grad` waits for itself
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
#ifdef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<zero_grad>;
#else
  using depends_on = st::depends_on<zero_grad>;
#endif
  void operator()() const {}
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, zero_grad, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
