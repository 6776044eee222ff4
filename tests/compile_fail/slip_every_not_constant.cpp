// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `every` is no constant
//
// For which batches a task runs is part of the plan, which the compiler makes: `every` is a
// `static constexpr int`. What changes while a program runs is for the runtime version, or for the
// body to ask.
//
// expect-error: the_every_or_the_phase_of_a_task_is_not_a_static_constexpr_int<step
// expect-text: the `every` or the `phase` of task `step` is not a constant number: write `static constexpr int every = 4;`
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
  int every = 4;
#endif
  void operator()(st::in<gradient>) const {}
};

struct training : st::schedule<st::source<sample>, backward, step> {};

void run() { st::pipeline<training> pipeline; }
