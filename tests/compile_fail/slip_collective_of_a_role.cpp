// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A collective of one role
//
// A collective is made by all ranks.
//
// expect-error: a_collective_is_of_one_role<train
// expect-text: task `train` of role `trainer` is a collective, and those are among all ranks; leave out its role, or use `stretto::transfer` for what goes from role to role
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
struct train {
  using role = st::role<"trainer">;
#ifndef FIXED
  static constexpr bool collective = true;
#endif
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};

void run() { st::pipeline<job> pipeline; }
