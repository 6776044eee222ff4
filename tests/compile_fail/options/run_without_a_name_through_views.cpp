// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run that has no name goes through views
//
// A view keeps what is given away to it, and a run stays where it is made.
//
// expect-error: a_run_that_goes_through_views_has_a_name<int ?&>
// expect-text: a run stays where it is made, and so cannot be moved into a view: give it a name, `auto run = pipeline.run\(...\)`, and let that go through views, `run \| ...`
// expect-at: views::transform
// expect-lines: 18
#include <ranges>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

void run(const std::vector<int>& numbers) {
  st::pipeline<training> pipeline;
  const auto negated = [](int n) { return -n; };
#ifdef FIXED
  auto run = pipeline.run(numbers);
  for (const int n : run | std::views::transform(negated)) static_cast<void>(n);
#else
  for (const int n : pipeline.run(numbers) | std::views::transform(negated)) static_cast<void>(n);
#endif
}
