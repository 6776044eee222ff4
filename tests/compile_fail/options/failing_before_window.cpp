// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A window over what a task with `on_failure` writes
//
// The slot has no value for a batch that is dropped.
//
// expect-error: rule_5_latest_or_a_window_is_read_of_a_slot_that_has_no_value_for_batches_that_are_dropped<sum, parse, parsed, [a-z:]*on_failure
// expect-text: rule 5: task `sum` reads slot `parsed` as a `window`, but it is not written for batches that `parse` drops if it fails .its `on_failure`.; read it as `previous`, which is empty then, or keep what is needed in a member
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};
struct total : st::slot<int> {};

struct parse {
#ifndef FIXED
  using on_failure = st::on_failure<st::drop>;
#endif
  void operator()(st::in<sample> in, st::out<parsed> out) const { out = *in; }
};

struct sum {
  void operator()(st::window<parsed, 3> in, st::out<total> out) const { out = *in.begin(); }
};

struct training : st::schedule<st::source<sample>, st::result<total>, parse, sum> {};

void run() { st::pipeline<training> pipeline; }
