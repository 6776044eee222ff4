// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The phase of a task is not one of its group's
//
// The phase says how many batches of each group come before the one that the task runs for: in
// groups of four it is 0 to 3. Without a phase a task runs for the last batch of each group, which
// is phase 3 here.
//
// expect-error: rule_2_the_phase_of_a_task_is_not_from_0_to_less_than_its_every<step
// expect-text: rule 2: task `step` has phase 4, but runs once per 4 batches; the phase is 0 to 3
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
  static constexpr int every = 4;
#ifdef FIXED
  static constexpr int phase = 3;
#else
  static constexpr int phase = 4;
#endif
  void operator()(st::in<gradient>) const {}
};

struct training : st::schedule<st::source<sample>, backward, step> {};

void run() { st::pipeline<training> pipeline; }
