// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task updates what is on another rank
//
// The slot is written by a task of another role, and nobody sends it.
//
// expect-error: a_task_updates_a_slot_that_is_on_ranks_of_another_role<scale
// expect-text: task `scale` of role `trainer` updates slot `sample`, but a rank of role `trainer` does not have it then: task `decode` of role `reader` writes it
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct sample : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 3;
  void operator()(st::in<raw> in, st::out<sample> out) const { out = *in; }
};
struct send : st::transfer<sample, "reader", "trainer"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 2;
};
struct scale {
  using role = st::role<"trainer">;
  static constexpr int lookahead = 1;
  void operator()(st::inout<sample> value) const { *value *= 2; }
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

#ifdef FIXED
struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, scale, train> {};
#else
struct job : st::schedule<st::source<raw>, st::result<loss>, decode, scale, train> {};
#endif

void run() { st::pipeline<job> pipeline; }
