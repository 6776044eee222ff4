// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A server of what is not a pipeline
//
// A `server` is made of the pipeline, not of a pointer to it, of its schedule, or of a run.
//
// expect-error: a_server_is_of_a_pipeline_that_can_run<stretto::pipeline<training> ?\*>
// expect-text: a server is made of a pipeline: of the object, which is not const, and not of a pointer, a schedule or a run; this has type `stretto::pipeline<training> ?\*`
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
  st::pipeline<training> pipeline;
#ifdef FIXED
  st::server squares(pipeline);
#else
  st::server squares(&pipeline);
#endif
  return squares.ask(3).get();
}
