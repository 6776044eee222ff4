// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task that is to run at the end for what is left of a group cannot
//
// `and_at_end` has a task run for a group that the end of the stream has cut before the task's
// phase. In phase 0 that never happens: the task runs with the first batch of each group. Nor can
// collectives and coroutines have it, which are begun for batches that there are.
//
// expect-error: rule_2_a_task_that_is_to_run_at_the_end_for_what_is_left_of_a_group_cannot<plan_group
// expect-text: rule 2: task `plan_group` is to run at the end, too, for what is left of a group .`and_at_end`., but has phase 0, which every group reaches; drop `and_at_end`, or state a phase of 1 to 3, how many batches of a group come before the one that it runs for
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};

struct plan_group {
  static constexpr int every = 4;
#ifdef FIXED
  static constexpr int phase = 1;
#else
  static constexpr int phase = 0;
#endif
  static constexpr bool and_at_end = true;
  void operator()(st::in<sample>) const {}
};

struct training : st::schedule<st::source<sample>, plan_group> {};

void run() { st::pipeline<training> pipeline; }
