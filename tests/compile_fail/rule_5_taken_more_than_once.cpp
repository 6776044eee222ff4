// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A value is taken more often than it is written
//
// Who takes the value of a slot is the last to use it. What is written once per four batches is
// there for all four: a task that runs for each of them reads it, or runs once per four batches,
// too.
//
// expect-error: rule_5_a_task_takes_a_value_more_often_than_it_is_written<forward, weights
// expect-text: rule 5: task `forward` takes the value of slot `weights` for every batch, but that is written once per 4 batches
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};
struct loss : st::slot<float> {};

struct make {
  static constexpr int every = 4;
  static constexpr int phase = 0;
  void operator()(st::in<sample> in, st::out<weights> out) const { out = static_cast<float>(*in); }
};

struct forward {
#ifdef FIXED
  void operator()(st::in<weights> w, st::out<loss> out) const { out = *w; }
#else
  void operator()(st::takes<weights> w, st::out<loss> out) const { out = *w; }
#endif
};

struct training : st::schedule<st::source<sample>, make, forward> {};

void run() { st::pipeline<training> pipeline; }
