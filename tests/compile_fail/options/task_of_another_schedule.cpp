// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A pipeline is asked for a task that it does not have
//
// A pipeline has one object of each task that its schedule lists.
//
// expect-error: a_task_is_asked_for_that_is_none_of_the_schedule<add, training>
// expect-text: schedule `training` has no task `add`, which a pipeline of it is asked for; ask for one that it lists
// expect-at: task<add>\(
// expect-lines: 18
#include <stretto/stretto.hpp>

namespace st = stretto;

struct number : st::slot<int> {};
struct square : st::slot<int> {};

struct multiply {
  void operator()(st::in<number> in, st::out<square> out) const { out = *in; }
};
struct training : st::schedule<st::source<number>, st::result<square>, multiply> {};

struct add : multiply {
  int sum = 0;
};
int sum_of(st::pipeline<training>& pipeline) {
#ifdef FIXED
  static_cast<void>(pipeline.task<multiply>());
  return 0;
#else
  return pipeline.task<add>().sum;
#endif
}
