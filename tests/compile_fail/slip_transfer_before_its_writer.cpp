// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer before the task that writes the slot
//
// Further ahead than the writer, there is nothing to send yet.
//
// expect-error: a_transfer_is_of_a_slot_that_no_task_writes_before<send
// expect-text: transfer `send` sends slot `sample`, which no task writes before; give the task of role `reader` that writes it a larger lookahead than the transfer has
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
#ifdef FIXED
  static constexpr int lookahead = 1;
#else
  static constexpr int lookahead = 3;
#endif
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};

void run() { st::pipeline<job> pipeline; }
