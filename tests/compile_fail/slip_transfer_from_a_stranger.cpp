// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer from a role that does not have the slot
//
// The roles stand the other way round.
//
// expect-error: a_transfer_is_from_a_role_that_does_not_have_the_slot<send, decode
// expect-text: transfer `send` sends slot `sample` from role `trainer`, which does not have it then: task `decode` of role `reader` writes it; name the role that has it, or send it there before
// expect-at: pipeline<job> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw : st::slot<int> {};
struct sample : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 2;
  void operator()(st::in<raw> in, st::out<sample> out) const { out = *in; }
};
#ifdef FIXED
struct send : st::transfer<sample, "reader", "trainer"> {
#else
struct send : st::transfer<sample, "trainer", "reader"> {
#endif
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};

void run() { st::pipeline<job> pipeline; }
