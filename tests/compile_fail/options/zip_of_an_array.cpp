// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Sources are zipped into a struct with an array
//
// Each source that is zipped gives one member of the type of the slot. Members are told apart one
// by one, and so not in a struct that has an array, a base, or constructors.
//
// expect-error: as_many_sources_are_zipped_as_the_type_of_their_slot_has_members<.*zipped<.*>, samples>
// expect-text: 3 sources are zipped for slot `samples`, whose type `sample` has no members that can be told apart, as those of a struct without constructors, bases and arrays can: let it be a std::tuple
// expect-at: run\(
// expect-lines: 18
// expect-compilers: each
#include <array>
#include <stretto/sources.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct sample {
#ifdef FIXED
  std::array<int, 2> place;
#else
  int place[2];
#endif
  int height;
};
struct samples : st::slot<sample> {};
struct product : st::slot<int> {};

struct multiply {
  using reads = st::reads<samples>;
  using writes = st::writes<product>;
  void operator()(const sample& in, int& out) const { out = in.place[0] * in.place[1] * in.height; }
};

struct training : st::schedule<st::source<samples>, st::result<product>, multiply> {};

int train(std::vector<int>& x, std::vector<int>& y, std::vector<int>& heights) {
  st::pipeline<training> pipeline;
  int sum = 0;
#ifdef FIXED
  for (const int p : pipeline.run(st::zip(st::zip(x, y), heights))) sum += p;
#else
  for (const int p : pipeline.run(st::zip(x, y, heights))) sum += p;
#endif
  return sum;
}
