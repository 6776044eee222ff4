// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Items of an earlier batch
//
// Items are those of the batch at hand. What a task is to know of earlier ones it keeps in a
// member.
//
// expect-error: items_are_of_a_slot_and_of_the_batch_at_hand<filter
// expect-text: task `filter` has `consumes<stretto::previous<sample>, 2>`; items are of the batch at hand and stay in the slot: name the slot itself
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <array>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct frame : st::slot<std::array<int, 6>> {};
struct sample : st::slot<int> {};
struct filtered : st::slot<int> {};
struct mean : st::slot<int> {};

struct split {
  void operator()(st::in<frame> in, st::produces<sample, 6> out) const {
    for (std::size_t i = 0; i < 6; ++i) out[i] = (*in)[i];
  }
};

struct filter {
#ifdef FIXED
  void operator()(st::consumes<sample, 2> in, st::produces<filtered> out) const {
#else
  void operator()(st::consumes<st::previous<sample>, 2> in, st::produces<filtered> out) const {
#endif
      out = in[0] + in[1];
}
}
;
struct average {
  void operator()(st::consumes<filtered, 3> in, st::out<mean> out) const { out = in[0] + in[2]; }
};

struct training : st::schedule<st::source<frame>, st::result<mean>, split, filter, average> {};

void run() { st::pipeline<training> pipeline; }
