// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule of tasks that take no time
//
// A weight of 0 is for a task that takes next to nothing. If all are 0, no plan is better than
// another.
//
// expect-error: scheduled_goes_by_weights_and_all_are_zero<training>
// expect-text: all tasks of schedule .training. have weight 0, so that none of its plans is better than another
// expect-lines: 25
#include <stretto/scheduled.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using reads = st::reads<sample>;
  using writes = st::writes<image>;
  static constexpr int weight = 0;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
#ifndef FIXED
  static constexpr int weight = 0;
#else
  static constexpr int weight = 400;
#endif
  void operator()(int in, int& out) const { out = in; }
};
struct training : st::schedule<st::source<sample>, st::result<loss>, decode, train> {};

struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
st::pipeline<found> pipeline;
