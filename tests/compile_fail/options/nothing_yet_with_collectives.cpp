// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source that may have nothing yet, and ranks that work together
//
// When there is nothing yet all threads stop until there is: other ranks, which may have a batch,
// would wait.
//
// expect-error: a source that may say nothing_yet does not go with collectives
// expect-lines: 40
#include <stretto/local.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct share : st::slot<int> {};
struct sum : st::slot<int> {};

struct add_up {
  static constexpr bool collective = true;
  using reads = st::reads<share>;
  using writes = st::writes<sum>;
  void operator()(const int&, int&) const {}
};

struct adding : st::schedule<st::source<share>, st::result<sum>, add_up> {};

using pipeline = st::pipeline<adding, st::local::collectives>;
void add(pipeline& p) {
#ifdef FIXED
  auto run = p.run([](int&) { return false; });
#else
  auto run = p.run([](int&, bool) { return st::pulled::end; });
#endif
  run.next();
}
