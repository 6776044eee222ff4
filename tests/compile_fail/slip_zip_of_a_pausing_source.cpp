// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source that may have nothing yet among several
//
// Nobody can wait for several sources at once. What comes now and then goes into one queue, which
// is the source.
//
// expect-error: a_source_that_may_have_nothing_yet_is_zipped_or_merged<.*, pairs>
// expect-text: one of the sources that are zipped or merged for slot `pairs` may have nothing yet, and nobody can wait for several: let what they have come into one queue, and take batches from that; it has type `.*`
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

struct arriving {
#ifdef FIXED
  bool operator()(double& next) const { return next < 3; }
#else
  st::pulled operator()(double& next) const {
    return next < 3 ? st::pulled::batch : st::pulled::nothing_yet;
  }
#endif
};

double train(std::vector<int>& a) {
  st::pipeline<training> pipeline;
  double sum = 0;
  for (const double p : pipeline.run(st::zip(a, arriving()))) sum += p;
  return sum;
}
