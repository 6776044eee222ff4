// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source that does not go into its member
//
// Sources that are zipped give the members of the slot in their order.
//
// expect-error: a_source_that_is_zipped_yields_what_its_member_does_not_take<std::.*vector<double.*>, int, pairs>
// expect-text: source 1 of those that are zipped yields nothing that goes into its member of slot `pairs`, of type `int`; the source has type `std::.*vector<double.*>`
// expect-at: run\(
// expect-lines: 18
// expect-compilers: each
#include <stretto/sources.hpp>
#include <stretto/stretto.hpp>
#include <utility>
#include <vector>

namespace st = stretto;

struct pairs : st::slot<std::pair<int, double>> {};
struct product : st::slot<double> {};

struct multiply {
  using reads = st::reads<pairs>;
  using writes = st::writes<product>;
  void operator()(const std::pair<int, double>& in, double& out) const {
    out = in.first * in.second;
  }
};

struct training : st::schedule<st::source<pairs>, st::result<product>, multiply> {};

double train(std::vector<int>& a, std::vector<double>& b) {
  st::pipeline<training> pipeline;
  double sum = 0;
#ifdef FIXED
  for (const double p : pipeline.run(st::zip(a, b))) sum += p;
#else
  for (const double p : pipeline.run(st::zip(b, a))) sum += p;
#endif
  return sum;
}
