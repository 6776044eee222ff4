// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A phase, and no `every`
//
// The phase says for which batch of a group a task runs, and `every` how many are a group. Without
// it the task runs for each batch.
//
// expect-error: a_task_states_a_phase_and_not_of_how_many_batches<step
// expect-text: task `step` states a phase, and not of how many batches; state `every`, too, or drop the phase
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
#endif
  static constexpr int phase = 0;
  void operator()(st::in<gradient>) const {}
};

struct training : st::schedule<st::source<sample>, backward, step> {};

void run() { st::pipeline<training> pipeline; }
