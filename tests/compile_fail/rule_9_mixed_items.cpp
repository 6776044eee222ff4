// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot of items is read as one value
//
// A slot of which some tasks consume or produce items holds all items of a batch, and has no one
// value. Who uses it says how many items each call consumes or produces.
//
// expect-error: rule_9_a_slot_of_which_items_are_consumed_or_produced_is_used_as_one_value<average, filter, filtered
// expect-text: rule 9: task `average` reads slot `filtered` as one value per batch, but `filter` has it as items; consume them: `consumes<slot, number per call>`
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
  void operator()(st::consumes<sample, 2> in, st::produces<filtered> out) const {
    out = in[0] + in[1];
  }
};
struct average {
#ifdef FIXED
  void operator()(st::consumes<filtered, 3> in, st::out<mean> out) const { out = in[0] + in[2]; }
#else
  void operator()(st::in<filtered> in, st::out<mean> out) const { out = *in; }
#endif
};

struct training : st::schedule<st::source<frame>, st::result<mean>, split, filter, average> {};

void run() { st::pipeline<training> pipeline; }
