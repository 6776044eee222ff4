// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Two tasks write one slot, one of them now and then
//
// A slot is written for each batch, or for one of each group: all its writers run for the same
// batches. A task that changes a value now and then gets a slot of its own, or runs for every
// batch and mostly does nothing.
//
// expect-error: rule_4_two_tasks_write_one_slot_and_do_not_run_for_the_same_batches<clip, backward, gradient
// expect-text: rule 4: task `clip` writes slot `gradient` once per 4 batches \(phase 3\), but `backward` for every batch
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};
struct loss : st::slot<float> {};

struct backward {
  static constexpr int lookahead = 1;
  void operator()(st::in<sample> in, st::out<gradient> out) const { out = static_cast<float>(*in); }
};

struct clip {
#ifndef FIXED
  static constexpr int every = 4;
#endif
  void operator()(st::inout<gradient> g) const {
    if (*g > 1) g = 1.0F;
  }
};

struct training : st::schedule<st::source<sample>, backward, clip> {};

void run() { st::pipeline<training> pipeline; }
