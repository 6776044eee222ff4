// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Two tasks have the same name
//
// Errors, pictures, traces and reports say which task by its name, so a name stands for one task.
// It is the name of the type, without namespaces, unless the task declares a `name`.
//
// expect-error: rule_1_two_tasks_have_the_same_name<eval::forward, train::forward>
// expect-text: rule 1: two tasks are named `forward`; give one of them a `name`
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

namespace train {
struct forward {
  using reads = st::reads<raw_batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};
}  // namespace train

struct score : st::slot<float> {};

namespace eval {
struct forward {
#ifdef FIXED
  static constexpr auto name = "eval forward";
#endif
  using reads = st::reads<raw_batch>;
  using writes = st::writes<score>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};
}  // namespace eval

struct training
    : st::schedule<st::source<raw_batch>, st::result<loss, score>, train::forward, eval::forward> {
};

st::pipeline<training> pipeline;
