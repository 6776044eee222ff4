// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A list of slots has what call operators take
//
// `reads` and `writes` list slots. `in`, `out` and the like are parameters.
//
// expect-error: a_task_writes_what_is_not_a_slot<add
// expect-text: task `add` writes `out<sum>`, which is a parameter of a call operator; list the slot itself: `sum`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct sum : st::slot<int> {};

struct add {
  using reads = st::reads<number>;
#ifdef FIXED
  using writes = st::writes<sum>;
#else
  using writes = st::writes<st::out<sum>>;
#endif
  void operator()(const int& in, int& out) const { out = in + 1; }
};

struct training : st::schedule<st::source<number>, st::result<sum>, add> {};

void run() { st::pipeline<training> pipeline; }
