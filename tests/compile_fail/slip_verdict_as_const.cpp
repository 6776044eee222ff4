// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A verdict that is const
//
// A call operator that returns `const stretto::verdict` is of another type than one that returns a
// verdict, which is how a plan knows who may drop batches.
//
// expect-error: a_task_returns_a_verdict_as_const<filter
// expect-text: task `filter` returns `const stretto::verdict`; let it return `stretto::verdict`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// compile-with-nvcc: -diag-suppress=815
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<float> {};

struct filter {
#ifdef FIXED
  st::verdict operator()(st::in<sample> in, st::out<parsed> out) const {
#else
  const st::verdict operator()(st::in<sample> in, st::out<parsed> out) const {
#endif
      out = static_cast<float>(*in);
  return *in > 0 ? st::keep : st::drop;
}
}
;

struct training : st::schedule<st::source<sample>, st::result<parsed>, filter> {};

void run() { st::pipeline<training> pipeline; }
