// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run of a temporary pipeline
//
// expect-error: a_run_is_of_a_temporary_pipeline_give_the_pipeline_a_name<stretto::dynamic::pipeline<
// expect-text: is a temporary here, gone before its run is over: give the pipeline a name, and run that
// expect-at: run\(
// expect-lines: 25
// expect-compilers: each
#include <stretto/dynamic.hpp>
#include <utility>

namespace dynamic = stretto::dynamic;

int sum(const dynamic::schedule& sums, const int (&batches)[3]) {
  int total = 0;
#ifdef FIXED
  dynamic::pipeline pipeline(sums);
  for (const dynamic::result& r : pipeline.run(batches)) total += r.get<int>();
#else
  for (const dynamic::result& r : dynamic::pipeline(sums).run(batches)) total += r.get<int>();
#endif
  return total;
}
