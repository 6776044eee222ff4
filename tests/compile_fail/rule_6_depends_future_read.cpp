// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `depends_on` names a task that has not run on the batch yet
//
// `depends_on` speaks of the same batch. A task with a lower lookahead meets that batch later, so
// its run cannot be waited for: it must work at least as far ahead as the task that depends on it.
//
// expect-error: rule_6_depends_on_names_a_task_that_has_not_run_on_this_batch_yet<h2d, zero_grad, (stretto::invalid::)?raise_lookahead<zero_grad, 1> ?>
// expect-text: rule 6: task `h2d` \(lookahead 1\) depends_on `zero_grad` \(lookahead 0\), which has not run on that batch yet; raise the lookahead of `zero_grad` to at least 1
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct zero_grad {
#ifdef FIXED
  static constexpr int lookahead = 1;
#endif
  using stream = st::stream<"compute">;
  void operator()() const {}
};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  using depends_on = st::depends_on<zero_grad>;
  void operator()(int in, int& out) const { out = in; }
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
