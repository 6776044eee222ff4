// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run that goes on from earlier batches, and ranks that work together
//
// How far ranks that work together are is not handed from run to run.
//
// expect-error: a run that goes on from earlier batches, and the position of a pipeline, do not go with collectives
// expect-lines: 40
#include "adding_ranks.hpp"

void add(pipeline& p) {
#ifdef FIXED
  auto run = p.run([](int&) { return false; });
#else
  auto run = p.run([](int&) { return false; }, st::onwards);
#endif
  run.next();
}
