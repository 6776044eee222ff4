// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A word of another system
//
// What others call interval, rate or period is `every`; nccl and globally_ordered are `collective`,
// thread_group is `thread`. Such members mean nothing here, so they are an error with the word that
// does, where they hold a number, a text or one of Stretto's types.
//
// expect-error: a_task_has_a_misspelled_member<step, stretto::invalid::member::interval, stretto::invalid::did_you_mean::every
// expect-text: task `step` has a member `interval`, which nobody looks at; did you mean `every`\?
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};

struct step {
#ifdef FIXED
  static constexpr int every = 4;
#else
  static constexpr int interval = 4;
#endif
  using reads = st::reads<gradient>;
  using writes = st::writes<weights>;
  void operator()(float in, float& out) const { out -= in; }
};

struct training : st::schedule<st::source<gradient>, step> {};

void run() { st::pipeline<training> pipeline; }
