// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # An `order` names what is not a task of the schedule
//
// An `order` says in which sequence tasks of the schedule run within a progress. A name that is
// none of them would order nothing.
//
// expect-error: rule_6_an_order_names_what_is_not_a_task_of_this_schedule<training, backward>
// expect-text: rule 6: an `order` of the schedule names `backward`, which is not a task of this schedule
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
struct backward;

struct training : st::schedule<st::source<raw_batch>, st::result<loss>, forward, zero_grad,
#ifdef FIXED
                               st::order<zero_grad, forward>
#else
                               st::order<zero_grad, forward>, st::order<zero_grad, backward>
#endif
                               > {
};

int main() { st::pipeline<training> pipeline; }
