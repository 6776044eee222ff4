// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer to a role that has the slot
//
// It has been sent there before, and has not changed.
//
// expect-error: a_transfer_is_to_a_role_that_has_the_slot<again
// expect-text: transfer `again` sends slot `sample` to role `trainer`, which has it already; leave that role out
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
struct send : st::transfer<sample, "reader", "trainer"> {
  static constexpr std::string_view name = "send";
  static constexpr int lookahead = 1;
};
struct again : st::transfer<sample, "reader", "trainer"> {
  static constexpr std::string_view name = "again";
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

#ifdef FIXED
struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};
#else
struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, again, train> {};
#endif

void run() { st::pipeline<job> pipeline; }
