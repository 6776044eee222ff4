// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A coroutine that nobody sees
//
// A task that is a coroutine is planned as if it were on a thread of its own. That it is one is
// known by what its call operator returns, before anybody calls it: a call operator that is a
// template, or one of several, cannot be asked.
//
// expect-error: a_task_is_a_coroutine_by_a_call_operator_that_is_overloaded_or_a_template<fetch
// expect-text: task `fetch` is a coroutine, but by a call operator that is overloaded or a template, so that nobody can ask for its type before it is called; let it have one call operator, with the types of its parameters written out
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// expect-compilers: each
#include <stretto/stretto.hpp>
#include <stretto/suspend.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct page : st::slot<float> {};

struct fetch {
  using reads = st::reads<number>;
  using writes = st::writes<page>;
#ifdef FIXED
  st::suspendable operator()(const int& in, float& out) const;
#else
  st::suspendable operator()(const auto& in, float& out) const;
#endif
};

struct training : st::schedule<st::source<number>, st::result<page>, fetch> {};

void run() { st::pipeline<training> pipeline; }
