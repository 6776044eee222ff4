// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # One source, merged
//
// Sources are zipped or merged with others. One by itself is handed to the run.
//
// expect-error: fewer_than_two_sources_are_zipped_or_merged<1, number>
// expect-text: for slot `number` one source is zipped or merged, with nothing: hand it to the run itself
// expect-at: run\(
// expect-lines: 18
#include <stretto/sources.hpp>
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in * *in; }
};

struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

int train(std::vector<int>& numbers) {
  st::pipeline<training> pipeline;
  int sum = 0;
#ifdef FIXED
  for (const int s : pipeline.run(numbers)) sum += s;
#else
  for (const int s : pipeline.run(st::merge(numbers))) sum += s;
#endif
  return sum;
}
