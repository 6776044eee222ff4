// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source where another role has it
//
// The role whose tasks read the source's slot has the source. All others have a batch whenever that
// one has.
//
// expect-error: the_source_is_that_of_another_role_run_with_stretto_follow<std::vector<int>
// expect-error-nvcc: the_source_is_that_of_another_role_run_with_stretto_follow<std::vector<int
// expect-text: the role of this projection does not have the source, another role does: run with `stretto::follow\(\)`, and give the source to that one
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
using trainer = st::projection<job, "trainer">;

void run(st::local::ranks& all, std::vector<int> numbers) {
  st::pipeline<trainer, st::local::collectives> pipeline(st::local::rank(all, 1));
#ifdef FIXED
  for ([[maybe_unused]] const int l : pipeline.run(st::follow())) continue;
#else
  for ([[maybe_unused]] const int l : pipeline.run(numbers)) continue;
#endif
}
