// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule within fewer bytes than any takes
//
// Each slot has one copy at least, cache lines counted.
//
// expect-error: no_schedule_is_found_within_a_bound<training, (stretto::)?max_bytes<128.*bytes_of_slots<192
// expect-text: .scheduled. finds no plan of schedule .training. in which the copies of slots take no more than 128 bytes, which is .max_bytes.; one batch at a time they take 192: raise it to that at least
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
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>,
                             st::max_bytes<128>> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>,
                             st::max_bytes<512>> {};
#endif
st::pipeline<found> pipeline;
