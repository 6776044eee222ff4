// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A dependency on a task of another rank
//
// Nothing tells one rank when a task of another is done, but what it sends.
//
// expect-error: a_task_depends_on_one_of_another_role<train, decode
// expect-text: task `train` of role `trainer` depends on task `decode` of role `reader`, which is not on the same ranks; ranks wait for each other in transfers only: read a slot that comes from there by `stretto::transfer`
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
  using depends_on = st::depends_on<decode>;
#endif
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};

void run() { st::pipeline<job> pipeline; }
