// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Offering the calling thread to a schedule that is found
//
// The thread that pulls batches, and the one that results are handed out on, get no tasks but those
// that name it: a task that keeps them from pulling delays all others.
//
// expect-error: a_thread_that_pulls_batches_or_hands_out_results_is_offered<
// expect-text: thread .caller. is offered to .scheduled., but pulls batches or hands out results
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
  static constexpr int weight = 400;
  void operator()(int in, int& out) const { out = in; }
};
struct training : st::schedule<st::source<sample>, st::result<loss>, decode, train> {};

#ifndef FIXED
struct found : st::scheduled<training, st::offered_threads<"caller", "b">, st::max_in_flight<3>> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
