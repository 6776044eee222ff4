// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A server of a temporary pipeline
//
// A server refers to its pipeline, which a temporary does not outlive.
//
// expect-error: a_run_is_of_a_temporary_pipeline_give_the_pipeline_a_name<stretto::pipeline<training>
// expect-text: `stretto::pipeline<training>` is a temporary here, gone before its run is over: give the pipeline a name, and run that
// expect-at: server squares
// expect-lines: 18
// expect-compilers: each
#include <stretto/serve.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in * in; }
};

struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

int train() {
#ifdef FIXED
  st::pipeline<training> pipeline;
  st::server squares(pipeline);
#else
  st::server squares(st::pipeline<training>{});
#endif
  return squares.ask(3).get();
}
