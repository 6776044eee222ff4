// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule with fewer batches in flight than a task asks for
//
// A task that gives the offset of a slot, updates what another has written, or shares state stays
// at its lookahead. `max_in_flight` has to leave room for that.
//
// expect-error: a_task_stays_at_a_lookahead_that_exceeds_a_bound<decode, (stretto::)?max_in_flight<2>, .*batches_in_flight<3>
// expect-text: task .decode. stays at lookahead 2.*; that takes 3 batches in flight, and .max_in_flight. is 2; raise it to 3
// expect-lines: 25
#include <stretto/scheduled.hpp>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<int> {};

struct decode {
  using reads = st::reads<sample>;
  using writes = st::writes<st::at_offset<image, 2>>;
  static constexpr int lookahead = 2;
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
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<2>> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
