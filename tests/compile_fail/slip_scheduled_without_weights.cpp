// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule of tasks without weights
//
// A schedule is found by how long tasks take: `weight` says so, in any unit that all share. A task
// without one would count as one unit, whatever the others have.
//
// expect-error: scheduled_goes_by_weights_and_a_task_has_none<train>
// expect-text: task .train. has no weight, and .scheduled. goes by how long tasks take
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
  static constexpr int weight = 300;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
#ifdef FIXED
  static constexpr int weight = 400;
#endif
  void operator()(int in, int& out) const { out = in; }
};
struct training : st::schedule<st::source<sample>, st::result<loss>, decode, train> {};

struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
st::pipeline<found> pipeline;
