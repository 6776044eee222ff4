// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Batches of a type that is not told
//
// Of values, the type of the batches is an argument of `push_run`.
//
// expect-error: who_pushes_to_a_pipeline_of_values_names_the_type_of_its_batches<stretto::dynamic::pipeline<
// expect-text: a schedule of values does not tell the compiler what its source takes: say it, as in `stretto::push_run<decltype\(pipeline\), int> steps\(pipeline\)`
// expect-at: push_run steps
// expect-lines: 18
// expect-compilers: each
#include <stretto/dynamic.hpp>
#include <stretto/push.hpp>

namespace dynamic = stretto::dynamic;

int sum(const dynamic::schedule& sums) {
  dynamic::pipeline pipeline(sums);
#ifdef FIXED
  stretto::push_run<dynamic::pipeline<>, int> steps(pipeline);
#else
  stretto::push_run steps(pipeline);
#endif
  int total = 0;
  if (steps.push(3)) total += steps.result().get<int>();
  while (steps.flush()) total += steps.result().get<int>();
  return total;
}
