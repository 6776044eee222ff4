// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body is overloaded, and one of its call operators takes no slot
//
// The parameters of a call operator say which slots a task uses only where there is one. Here none
// is asked, so that the task seems to use none, and its slot to be written by nobody.
//
// expect-error: a_task_lists_no_slots_and_its_call_operator_is_private_overloaded_or_a_template<add
// expect-text: task `add` lists no slots, and its parameters cannot say which, because it has no call operator that is public, not overloaded and no template
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct sum : st::slot<int> {};

struct add {
  void operator()(st::in<number> in, st::out<sum> out) const { out = *in + 1; }
#ifndef FIXED
  void operator()() const {}
#endif
};

struct training : st::schedule<st::source<number>, st::result<sum>, add> {};

void run() { st::pipeline<training> pipeline; }
