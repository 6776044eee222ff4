// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A verdict that nobody sees
//
// That a task may drop batches is known by what its call operator returns, before anybody calls it:
// the plan depends on it. A call operator that is a template, or one of several, cannot be asked.
//
// expect-error: a_task_returns_a_verdict_from_a_call_operator_that_is_overloaded_or_a_template<filter
// expect-text: task `filter` returns a verdict, but from a call operator that is overloaded or a template, so that nobody can ask for its type before it is called; let it have one call operator, with the types of its parameters written out
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// expect-compilers: each
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct parsed : st::slot<float> {};

struct filter {
  using reads = st::reads<sample>;
  using writes = st::writes<parsed>;
#ifdef FIXED
  st::verdict operator()(const int& in, float& out) const {
#else
  st::verdict operator()(const auto& in, float& out) const {
#endif
      out = static_cast<float>(in);
  return in > 0 ? st::keep : st::drop;
}
}
;

struct training : st::schedule<st::source<sample>, st::result<parsed>, filter> {};

void run() { st::pipeline<training> pipeline; }
