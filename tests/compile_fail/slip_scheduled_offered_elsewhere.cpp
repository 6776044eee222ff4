// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Offering threads in a schedule
//
// `offered_threads` tells `scheduled` which threads it may put tasks on. A schedule names its
// threads itself, in tasks or in a thread map.
//
// expect-error: offered_threads_are_for_scheduled<
// expect-text: .offered_threads<.a., .b.>. stands among the parts of schedule .found., where nothing is put on threads that are offered
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
struct found : st::replan<training, st::offered_threads<"a", "b">> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
