// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A window over what comes after a source that skips
//
// The slot has no value for a batch that is dropped.
//
// expect-error: rule_5_latest_or_a_window_is_read_of_a_slot_that_has_no_value_for_batches_that_are_dropped<sum, stretto::source<sample
// expect-text: rule 5: task `sum` reads slot `sample` as a `window`, but it is not written for batches that the source drops if it fails .its `on_failure`.; read it as `previous`, which is empty then, or keep what is needed in a member
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<int> {};

struct sum {
  void operator()(st::window<sample, 3> in, st::out<parsed> out) const { out = *in.begin(); }
};
#ifdef FIXED
using from = st::source<sample>;
#else
using from = st::source<sample, st::on_failure<st::drop>>;
#endif

struct training : st::schedule<from, st::result<parsed>, sum> {};

void run() { st::pipeline<training> pipeline; }
