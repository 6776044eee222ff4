// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot points into one that is not written for the same batches
//
// A value that views into another is of use as long as that one stays what it is. What is written
// once per four batches and held would view into the value of a batch whose place others fill
// meanwhile.
//
// expect-error: rule_5_a_slot_points_into_one_that_is_not_written_for_the_same_batches<longest
// expect-text: rule 5: `peak`, which is written once per 4 batches \(phase 3\), points into a slot that `pull` writes for every batch
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct peak : st::slot<const int*>, st::points_into<sample> {};

struct longest {
#ifndef FIXED
  static constexpr int every = 4;
#endif
  void operator()(st::in<sample> in, st::out<peak> out) const { out = &*in; }
};

struct training : st::schedule<st::source<sample>, longest> {};

void run() { st::pipeline<training> pipeline; }
