// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer to the role that it is from
//
// The first role named sends, the others receive.
//
// expect-error: a_transfer_names_a_role_twice<send
// expect-text: transfer `send` names role `reader` twice; name who sends, then each who receives
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
struct send : st::transfer<sample, "reader", "trainer", "reader"> {
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
