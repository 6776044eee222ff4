// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer with a communicator
//
// Roles are of all ranks that run the pipeline.
//
// expect-error: a_transfer_names_a_communicator<send
// expect-text: transfer `send` names a communicator; transfers are among all ranks of the pipeline: leave it out
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
#ifndef FIXED
  using communicator = st::communicator<"node">;
#endif
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<sample> in, st::out<loss> out) const { out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};

void run() { st::pipeline<job> pipeline; }
