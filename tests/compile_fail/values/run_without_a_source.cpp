// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run of values without a source
//
// Batches come from somewhere: a range, or a function.
//
// expect-error: a_run_is_of_a_pipeline_that_is_not_const_over_a_source<.*
// expect-text: a run is made of a pipeline that is not const, and of a source, .*
// expect-at: pipeline.run
// expect-lines: 18
#include <stretto/dynamic.hpp>
#include <vector>

namespace dynamic = stretto::dynamic;

int run(dynamic::pipeline<>& pipeline, const std::vector<int>& numbers) {
  int sum = 0;
#ifdef FIXED
  for (const dynamic::result& r : pipeline.run(numbers)) sum += r.get<int>();
#else
  static_cast<void>(numbers);
  for (const dynamic::result& r : pipeline.run<int>()) sum += r.get<int>();
#endif
  return sum;
}
