// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task runs once per no batch
//
// A task with `every` runs for one batch of each group of so many: 1, which is each of them, to
// 100,000. A task that is to run never is left out of the schedule.
//
// expect-error: rule_2_a_task_runs_for_one_of_less_than_1_or_more_than_100000_batches<step
// expect-text: rule 2: task `step` runs once per 0 batches; state an `every` of 1 to 100000
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};
struct loss : st::slot<float> {};

struct backward {
  void operator()(st::in<sample> in, st::out<gradient> out) const { out = static_cast<float>(*in); }
};

struct step {
#ifdef FIXED
  static constexpr int every = 4;
#else
  static constexpr int every = 0;
#endif
  void operator()(st::in<gradient>) const {}
};

struct training : st::schedule<st::source<sample>, backward, step> {};

void run() { st::pipeline<training> pipeline; }
