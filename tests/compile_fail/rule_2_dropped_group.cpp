// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What belongs to a group of batches is dropped with one of them
//
// `step` writes the weights of four batches when the last of them is there. If that one is dropped,
// `step` does not run for it, and there are no weights for the group. A task that comes after one
// that may drop batches writes slots for every batch; one that may drop batches runs for each.
//
// expect-error: rule_2_what_drops_batches_or_writes_a_slot_after_that_does_not_run_for_every_batch<step, filter
// expect-text: rule 2: task `step` writes slot `weights` once per 4 batches .phase 3., but `filter` may drop the batch that it runs for, and there would be no value for the group; let it run for every batch, or not use what comes after `filter`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};

struct filter {
  st::verdict operator()(st::in<sample> in, st::out<gradient> out) const {
    out = static_cast<float>(*in);
    return *in > 0 ? st::keep : st::drop;
  }
};

struct step {
#ifndef FIXED
  static constexpr int every = 4;
#endif
  void operator()(st::in<gradient> in, st::out<weights> out) const { out = *in; }
};

struct training : st::schedule<st::source<sample>, filter, step> {};

void run() { st::pipeline<training> pipeline; }
