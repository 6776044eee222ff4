// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Roles, and ranks that run all of them
//
// With collectives each rank runs a part of its own.
//
// expect-error: with_collectives_each_rank_runs_a_projection_of_a_schedule_with_roles<job
// expect-text: schedule `job` has roles, so that with collectives each rank runs its own part: give the pipeline `stretto::projection<job, "role">`
// expect-at: collectives> pipeline
// expect-lines: 15
#include <stretto/local.hpp>
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
struct part : st::projection<job, "reader"> {};

void run(st::local::ranks& all) {
#ifdef FIXED
  st::pipeline<part, st::local::collectives> pipeline(st::local::rank(all, 0));
#else
  st::pipeline<job, st::local::collectives> pipeline(st::local::rank(all, 0));
#endif
}
