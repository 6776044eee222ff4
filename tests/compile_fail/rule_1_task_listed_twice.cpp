// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task is listed twice
//
// A task runs once per batch and has one object in the pipeline, so it stands in the schedule once.
// To do the same work twice per batch, make two types of it, each with a `name`.
//
// expect-error: rule_1_two_tasks_have_the_same_name<h2d, h2d
// expect-text: rule 1: task `h2d` is listed twice; drop one
// expect-at: pipeline<training> pipeline
// expect-lines: 15
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
struct training : st::schedule<st::source<raw_batch>, st::result<batch>, h2d, h2d> {};
#endif

st::pipeline<training> pipeline;
