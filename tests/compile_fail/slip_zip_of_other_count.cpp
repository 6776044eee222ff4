// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Another number of sources than members
//
// Each source that is zipped gives one member of the type of the slot.
//
// expect-error: as_many_sources_are_zipped_as_the_type_of_their_slot_has_members<.*zipped<.*>, pairs>
// expect-text: 3 sources are zipped for slot `pairs`, whose type `std::pair<int, double>` has 2 members: let it be a std::tuple, or a struct without constructors, with a member for each source, 8 at most
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
  for (const double p : pipeline.run(st::zip(a, b, b))) sum += p;
#endif
  return sum;
}
