// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The value of an earlier batch is not written yet
//
// A task that works ahead of a slot's writer can look back at what the writer left only if that is
// as many batches ago as it is ahead, or more. This one is two batches ahead and asks for the value
// of one batch ago. Let the writer work further ahead, or look further back.
//
// expect-error: rule_5_a_slot_is_read_further_ahead_than_it_is_written<flow, denoise, image, (stretto::invalid::)?raise_lookahead<denoise, 1> ?>
// expect-text: rule 5: task `flow` reads the value of slot `image` one batch earlier at lookahead 2, but `denoise` writes it only at lookahead 0; raise the lookahead of `denoise` to at least 1, or read the value of 2 batches earlier
// expect-at: pipeline<tracking> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<int> {};
struct image : st::slot<int> {};
struct motion : st::slot<int> {};

struct denoise {
#ifdef FIXED
  static constexpr int lookahead = 1;
#endif
  void operator()(st::in<frame> in, st::out<image> out) const { out = *in; }
};

struct flow {
  static constexpr int lookahead = 2;
  void operator()(st::in<frame> in, st::previous<image> before, st::out<motion> out) const {
    out = *in - before.value_or(0);
  }
};

struct tracking : st::schedule<st::source<frame>, st::result<motion>, denoise, flow> {};

void run() { st::pipeline<tracking> pipeline; }
