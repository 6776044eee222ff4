// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `follow` where the role has the source
//
// `follow()` takes a batch whenever the role with the source has one. That role runs with the
// source itself.
//
// expect-error: stretto_follow_is_for_ranks_whose_role_does_not_have_the_source<raw
// expect-text: `stretto::follow\(\)` is for ranks whose role does not have the source; this one has it: run with a range of `int` or a function
// expect-at: pipeline.run
// expect-lines: 25
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw : st::slot<int> {};
struct sample : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using role = st::role<"reader">;
  static constexpr int lookahead = 1;
  void operator()(st::in<raw> in, st::out<sample> out) const { *out = *in; }
};
struct train {
  using role = st::role<"trainer">;
  void operator()(st::in<sample> in, st::out<loss> out) const { *out = *in; }
};

struct job : st::schedule<st::source<raw>, st::result<loss>, decode,
                          st::transfer<sample, "reader", "trainer">, train> {};
using reader = st::projection<job, "reader">;

void run(st::local::ranks& all, std::vector<int> numbers) {
  st::pipeline<reader, st::local::collectives> pipeline(st::local::rank(all, 0));
#ifdef FIXED
  for ([[maybe_unused]] const auto b : pipeline.run(numbers)) continue;
#else
  for ([[maybe_unused]] const auto b : pipeline.run(st::follow())) continue;
#endif
}
