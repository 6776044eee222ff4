// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A window over batches that may be dropped
//
// `speed` has no value for a batch that `filter` drops: what its memory holds then is an older
// batch's. A `previous` is empty for such a batch, so a task can tell. A window and the latest
// value have no way to say so; what they would be good for, a task keeps in a member.
//
// expect-error: rule_5_latest_or_a_window_is_read_of_a_slot_that_has_no_value_for_batches_that_are_dropped<smooth, filter, speed
// expect-text: rule 5: task `smooth` reads slot `speed` as a `window`, but it is not written for batches that `filter` drops; read it as `previous`, which is empty then, or keep what is needed in a member
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct speed : st::slot<float> {};
struct smoothed : st::slot<float> {};

struct filter {
  static constexpr int lookahead = 1;
  st::verdict operator()(st::in<sample> in, st::out<speed> out) const {
    out = static_cast<float>(*in);
    return *in > 0 ? st::keep : st::drop;
  }
};

struct smooth {
#ifdef FIXED
  void operator()(st::in<speed> now, st::previous<speed> before, st::out<smoothed> out) const {
    out = (*now + before.value_or(*now)) / 2;
  }
#else
  void operator()(st::window<speed, 2> all, st::out<smoothed> out) const {
    out = (all[0] + all[1]) / 2;
  }
#endif
};

struct training : st::schedule<st::source<sample>, st::result<smoothed>, filter, smooth> {};

void run() { st::pipeline<training> pipeline; }
