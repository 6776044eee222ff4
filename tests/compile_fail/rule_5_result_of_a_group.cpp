// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A result is handed out before it is written for the batch's group
//
// Results are handed out for every batch. What a task writes with the last batch of a group is not
// there for the others. Let a task that runs for every batch write what is handed out: it reads
// `latest` of the slot.
//
// expect-error: rule_5_a_result_is_handed_out_before_it_is_written_for_the_group_of_the_batch<training, step, weights
// expect-text: rule 5: the result `weights` is handed out for every batch, but `step` writes it once per 4 batches
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
#endif
  void operator()(st::in<gradient> g, st::out<weights> w) const { w = *g; }
};

struct training : st::schedule<st::source<sample>, st::result<weights>, backward, step> {};

void run() { st::pipeline<training> pipeline; }
