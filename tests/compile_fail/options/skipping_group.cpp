// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task with a rate after a source that skips
//
// What belongs to a group of batches is not dropped with one of them.
//
// expect-error: rule_2_what_drops_batches_or_writes_a_slot_after_that_does_not_run_for_every_batch<step, stretto::source<sample
// expect-text: rule 2: task `step` writes slot `parsed` once per 4 batches .phase 0., but the source may drop the batch that it runs for if it fails .its `on_failure`., and there would be no value for the group; let it run for every batch, or not use what comes after the source
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct step {
  static constexpr int every = 4;
  static constexpr int phase = 0;
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};
#ifdef FIXED
using from = st::source<sample>;
#else
using from = st::source<sample, st::on_failure<st::drop>>;
#endif

struct training : st::schedule<from, step> {};

void run() { st::pipeline<training> pipeline; }
