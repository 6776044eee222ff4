// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What a task reads at the end may not be there
//
// `save` runs at the end of the stream, too, for what is left of a group, but `step` only writes
// weights with the last batch of a full one: for the batches that are left there are none.
//
// expect-error: rule_5_a_task_that_runs_at_the_end_reads_what_may_not_be_there_then<save, step
// expect-text: rule 5: task `save` runs at the end, too, for what is left of a group .`and_at_end`., but `step` writes slot `weights` once per 4 batches .phase 3., which what is left may not get to; let `step` run `and_at_end`, too, or read `weights` as `latest`, what was written last
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct weights : st::slot<int> {};

struct step {
  static constexpr int every = 4;
#ifdef FIXED
  static constexpr bool and_at_end = true;
#endif
  void operator()(st::window<sample, 4> group, st::out<weights> out) const { out = group[0]; }
};

struct save {
  static constexpr int every = 4;
  static constexpr bool and_at_end = true;
  void operator()(st::in<weights>) const {}
};

struct training : st::schedule<st::source<sample>, step, save> {};

void run() { st::pipeline<training> pipeline; }
