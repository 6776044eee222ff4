// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A plan of one rank alone
//
// Other ranks would not know of it, and wait for what comes in another order.
//
// expect-error: a_projection_is_planned_as_its_schedule_is<part
// expect-text: schedule `part` plans a projection anew, which other ranks would not know of; plan the schedule of all ranks so, and give that to `stretto::projection`
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
struct part : st::projection<st::replan<job, st::frugal>, "reader"> {};
static_assert(st::is_valid<part>);
#else
struct part : st::replan<st::projection<job, "reader">, st::frugal> {};
void run() { st::pipeline<part> pipeline; }
#endif
