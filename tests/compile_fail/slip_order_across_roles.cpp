// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # An order of tasks of two roles
//
// No rank has both, so that none could keep it.
//
// expect-error: an_order_has_tasks_of_two_roles_next_to_each_other<train, decode
// expect-text: an order has task `train` of role `trainer` after task `decode` of role `reader`, and no rank has both; order the tasks of each role on their own
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
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

#ifdef FIXED
struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};
#else
struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train,
                          st::order<decode, train>> {};
#endif

void run() { st::pipeline<job> pipeline; }
