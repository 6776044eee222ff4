// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task with a rate and an `on_failure`
//
// What belongs to a group of batches is not dropped with one of them.
//
// expect-error: rule_2_what_drops_batches_or_writes_a_slot_after_that_does_not_run_for_every_batch<save, save, [a-z:]*on_failure
// expect-text: rule 2: task `save` may drop batches if it fails .its `on_failure`., but runs once per 4 batches .phase 3.; let it run for every batch
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct parse {
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

struct save {
#ifndef FIXED
  using on_failure = st::on_failure<st::drop>;
#endif
  static constexpr int every = 4;
  void operator()(st::in<parsed>) const {}
};

struct training : st::schedule<st::source<sample>, st::result<parsed>, parse, save> {};

void run() { st::pipeline<training> pipeline; }
