// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A group too long ago
//
// Of a slot that is written once per 1,000 batches, `previous<slot, N>` is what it was N groups of
// 1,000 before. No schedule looks back more than 100,000 batches.
//
// expect-error: rule_5_a_task_reads_a_group_that_is_more_than_100000_batches_back<compare, checkpoint, weights
// expect-text: rule 5: task `compare` reads slot `weights` 200 groups of 1000 batches earlier, more than 100,000 batches
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};
struct loss : st::slot<float> {};

struct checkpoint {
  static constexpr int every = 1000;
  void operator()(st::in<sample> in, st::out<weights> out) const { out = static_cast<float>(*in); }
};

struct compare {
#ifdef FIXED
  using reads = st::reads<st::previous<weights, 20>>;
#else
  using reads = st::reads<st::previous<weights, 200>>;
#endif
  void operator()(const auto& before) const { static_cast<void>(before.has_value()); }
};

struct training : st::schedule<st::source<sample>, checkpoint, compare> {};

void run() { st::pipeline<training> pipeline; }
