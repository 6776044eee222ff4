// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A projection for a role that no task has
//
// The name is probably misspelled.
//
// expect-error: no_task_of_the_schedule_has_the_role<job
// expect-text: no task of schedule `job` has role `raeder`; did you mean `reader`?
// expect-at: pipeline<part> pipeline
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

struct job : st::schedule<st::source<raw>, st::result<loss>, decode, send, train> {};
#ifdef FIXED
struct part : st::projection<job, "reader"> {};
static_assert(st::is_valid<part>);
#else
struct part : st::projection<job, "raeder"> {};
void run() { st::pipeline<part> pipeline; }
#endif
