// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `and_at_end`, and no `every`
//
// At the end of the stream a task may run for what is left of a group. Without an `every` there are
// no groups: the task runs for each batch.
//
// expect-error: whether_a_task_runs_at_the_end_is_a_static_constexpr_bool_next_to_its_every<step
// expect-text: `and_at_end` of task `step` is not a constant next to an `every`: write `static constexpr int every = 4;` and `static constexpr bool and_at_end = true;`, so that it runs for what is left of a group when the stream ends
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};

struct step {
#ifdef FIXED
  static constexpr int every = 4;
#endif
  static constexpr bool and_at_end = true;
  void operator()(st::in<sample>) const {}
};

struct training : st::schedule<st::source<sample>, step> {};

void run() { st::pipeline<training> pipeline; }
