// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A run that goes on from earlier batches, and ranks that work together
//
// How far ranks that work together are is not handed from run to run.
//
// expect-error: a run that goes on from earlier batches, and the position of a pipeline, do not go with collectives
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
  auto run = p.run([](int&) { return false; }, st::onwards);
#endif
  run.next();
}
