// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A transfer that is not between its writer and its reader
//
// What one batch's writer leaves is sent before that batch's reader comes: at a lookahead less than
// the writer's, and no less than the reader's.
//
// expect-error: a_task_reads_a_slot_that_is_on_ranks_of_another_role<train
// expect-text: transfer `send` sends it there, but not between them: give it a lookahead that is less than the writer
// expect-at: pipeline<reader
// expect-lines: 20
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw : st::slot<int> {};
struct sample : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 2;
  void operator()(st::in<raw> in, st::out<sample> out) const { *out = *in; }
};
struct train {
  using role = st::role<"trainer">;
  static constexpr int lookahead = 1;
  void operator()(st::in<sample> in, st::out<loss> out) const { *out = *in; }
};
struct send : st::transfer<sample, "reader", "trainer"> {
  static constexpr std::string_view name = "send";
#ifdef FIXED
  static constexpr int lookahead = 1;
#endif
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};
using reader = st::projection<job, "reader">;

void run(st::local::ranks& all) {
  st::pipeline<reader, st::local::collectives> pipeline(st::local::rank(all, 0));
}
