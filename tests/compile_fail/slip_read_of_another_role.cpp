// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task reads what is on another rank
//
// The slot is written by a task of another role, and nobody sends it.
//
// expect-error: a_task_reads_a_slot_that_is_on_ranks_of_another_role<train
// expect-text: task `train` of role `trainer` reads slot `sample`, but a rank of role `trainer` does not have it then: task `decode` of role `reader` writes it; between them put `stretto::transfer<sample, "reader", "trainer">` among the parts of the schedule, at a lookahead that is less than the writer's and no less than the reader's
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct sample : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 2;
  void operator()(st::in<raw> in, st::out<sample> out) const { out = *in; }
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

#ifdef FIXED
struct job : st::schedule<st::source<raw>, st::result<loss>, decode,
                          st::transfer<sample, "reader", "trainer">, train> {};
#else
struct job : st::schedule<st::source<raw>, st::result<loss>, decode, train> {};
#endif

void run() { st::pipeline<job> pipeline; }
