// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A schedule without a task
//
// A pipeline that takes batches and does nothing with them is taken for a mistake, such as tasks
// passed to the wrong template.
//
// expect-error: rule_1_the_schedule_has_no_task<training>
// expect-text: rule 1: the schedule has no task
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// expect-compilers: all
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<batch>, h2d> {};
#else
struct training : st::schedule<st::source<raw_batch>> {};
#endif

st::pipeline<training> pipeline;
