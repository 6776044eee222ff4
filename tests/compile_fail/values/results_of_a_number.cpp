// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Results of values over a number
//
// How many batches there are does not say what they are.
//
// expect-error: a_source_is_a_range_or_a_function<int
// expect-text: a source is a range of `int` or a function; this has type `int`
// expect-at: pipeline.results
// expect-lines: 22
#include <stretto/dynamic.hpp>
#include <vector>

namespace dynamic = stretto::dynamic;

int run(dynamic::pipeline<>& pipeline, const std::vector<int>& numbers) {
  int sum = 0;
#ifdef FIXED
  for (const dynamic::result& r : pipeline.results(numbers)) sum += r.get<int>();
#else
  static_cast<void>(numbers);
  for (const dynamic::result& r : pipeline.results(5)) sum += r.get<int>();
#endif
  return sum;
}
