// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source that may have nothing yet, and ranks that work together
//
// When there is nothing yet all threads stop until there is: other ranks, which may have a batch,
// would wait.
//
// expect-error: a source that may say nothing_yet does not go with collectives
// expect-lines: 40
#include "adding_ranks.hpp"

void add(pipeline& p) {
#ifdef FIXED
  auto run = p.run([](int&) { return false; });
#else
  auto run = p.run([](int&, bool) { return st::pulled::end; });
#endif
  run.next();
}
