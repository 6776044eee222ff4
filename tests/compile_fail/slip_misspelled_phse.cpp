// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `phse` for `phase`
//
// Nobody looks at a member of that name: the task would run for the last batch of each group.
//
// expect-error: a_task_has_a_misspelled_member<step, (stretto::invalid::)?member::phse, (stretto::invalid::)?did_you_mean::phase>
// expect-text: task `step` has a member `phse`, which nobody looks at; did you mean `phase`\?
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
  static constexpr int phase = 0;
#else
  static constexpr int phse = 0;
#endif
  void operator()(st::in<gradient>) const {}
};

struct training : st::schedule<st::source<sample>, backward, step> {};

void run() { st::pipeline<training> pipeline; }
