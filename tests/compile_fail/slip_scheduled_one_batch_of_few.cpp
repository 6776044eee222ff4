// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule of tasks that do not run for every batch
//
// How long a progress takes is a search of another kind where tasks run once per several batches.
//
// expect-error: a_schedule_is_found_of_tasks_that_run_for_every_batch<train, (stretto::)?every<2
// expect-text: task .train. runs for one of 2 batches, and .scheduled. looks for a schedule of tasks that run for each
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
#ifndef FIXED
  static constexpr int every = 2;
#endif
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  static constexpr int weight = 400;
  void operator()(int in, int& out) const { out = in; }
};
struct training : st::schedule<st::source<sample>, decode, train> {};

struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
st::pipeline<found> pipeline;
