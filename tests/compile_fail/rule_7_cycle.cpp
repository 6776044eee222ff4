// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Tasks wait for each other in a cycle
//
// Inside one progress the tasks need an order in which nobody waits for one that comes later. In a
// cycle there is none. Often one of the waits was meant for the batch before, which
// `cross_iter_depends_on` says.
//
// expect-error: rule_7_tasks_wait_for_each_other_in_a_cycle<forward, zero_grad, optimizer>
// expect-text: rule 7: tasks wait for each other in a cycle: `forward` waits for `zero_grad` waits for `optimizer` waits for `forward`
// expect-at: pipeline<training> pipeline
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
  void operator()(int in, int& out) const { out = in; }
};

struct optimizer;

struct zero_grad {
  using stream = st::stream<"compute">;
#ifdef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<optimizer>;
#else
  using depends_on = st::depends_on<optimizer>;
#endif
  void operator()() const {}
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  using depends_on = st::depends_on<zero_grad>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct optimizer {
  using stream = st::stream<"compute">;
  using reads = st::reads<loss>;
  void operator()(float) const {}
};

struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"memcpy", "compute">, h2d,
                   forward, zero_grad, optimizer> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
