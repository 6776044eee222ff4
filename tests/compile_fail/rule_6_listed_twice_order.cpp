// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # An `order` lists a task twice
//
// An `order` says in which sequence tasks run within a progress, and a task runs once in it.
//
// expect-error: rule_6_an_order_lists_a_task_twice<training, zero_grad>
// expect-text: rule 6: an `order` of the schedule lists `zero_grad` twice
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// expect-compilers: all
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct forward {
  using reads = st::reads<raw_batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};
struct zero_grad {
  void operator()() const {}
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>, forward, zero_grad,
#ifdef FIXED
                               st::order<zero_grad, forward>
#else
                               st::order<zero_grad, forward, zero_grad>
#endif
                               > {
};

int main() { st::pipeline<training> pipeline; }
