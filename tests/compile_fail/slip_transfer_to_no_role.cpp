// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer to a role that no task has
//
// The name is probably misspelled.
//
// expect-error: a_transfer_names_a_role_that_no_task_has<send
// expect-text: transfer `send` names role `trainee`, which no task has; did you mean `trainer`?
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
struct send : st::transfer<sample, "reader", "trainee"> {
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
