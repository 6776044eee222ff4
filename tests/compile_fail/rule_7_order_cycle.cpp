// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # An `order` contradicts what the tasks declare
//
// An `order` chooses among the sequences that the tasks' own waits allow. Where it asks for the
// opposite of one, no sequence is left. The sentence goes round the cycle and marks the steps that
// an `order` asks for.
//
// expect-error: rule_7_the_order_of_the_schedule_contradicts_what_its_tasks_declare<forward, optimizer, zero_grad>
// expect-text: rule 7: the `order` of the schedule contradicts what its tasks declare: `forward` waits for `optimizer` \(`order`\) waits for `zero_grad` waits for `forward` \(`order`\)
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

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct zero_grad {
  using stream = st::stream<"compute">;
  void operator()() const {}
};

struct optimizer {
  using stream = st::stream<"compute">;
  using depends_on = st::depends_on<zero_grad>;
  void operator()() const {}
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward, zero_grad, optimizer,
#ifdef FIXED
                               st::order<forward, zero_grad>, st::order<forward, optimizer>
#else
                               st::order<forward, zero_grad>, st::order<optimizer, forward>
#endif
                               > {
};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
