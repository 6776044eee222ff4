// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task that consumes items does not run for every batch
//
// A task that consumes or produces items is called as often for each batch as its items ask for: it
// has no `every`, drops no batch and is no collective. A task that works on one value per batch may
// be any of these.
//
// expect-error: rule_9_a_task_of_items_has_an_every_or_may_drop_batches_or_is_a_collective<filter
// expect-text: rule 9: task `filter` consumes or produces items of slots, and has an `every`; that is for tasks that are called once per batch: give it to one without items
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <array>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<std::array<int, 6>> {};
struct sample : st::slot<int> {};

struct split {
  void operator()(st::in<frame> in, st::produces<sample, 6> out) const {
    for (std::size_t i = 0; i < 6; ++i) out[i] = (*in)[i];
  }
};

struct filter {
#ifndef FIXED
  static constexpr int every = 4;
#endif
  void operator()(st::consumes<sample, 2>) const {}
};

struct training : st::schedule<st::source<frame>, split, filter> {};

void run() { st::pipeline<training> pipeline; }
