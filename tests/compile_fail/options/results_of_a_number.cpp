// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Results over a number
//
// How many batches there are does not say what they are.
//
// expect-error: a_source_is_a_range_or_a_function<int, number>
// expect-text: a source is a range of `int` or a function; this has type `int`
// expect-at: pipeline.results
// expect-lines: 22
#include <array>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in * *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

int run() {
  st::pipeline<training> pipeline;
  int sum = 0;
#ifdef FIXED
  for (const int s : pipeline.results(std::array{5})) sum += s;
#else
  for (const int s : pipeline.results(5)) sum += s;
#endif
  return sum;
}
