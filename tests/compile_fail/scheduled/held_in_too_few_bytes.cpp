// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule within fewer bytes than tasks that stay ahead take
//
// How much a plan takes at least is not known then, but how much the schedule takes as it is.
//
// expect-error: no_schedule_is_found_within_a_bound<training, (stretto::)?max_bytes<200.*bytes_of_slots<
// expect-text: no more than 200 bytes, which is .max_bytes.; with the lookaheads that it declares they take [0-9]+: raise it to that at least
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
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>,
                             st::max_bytes<200>> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>,
                             st::max_bytes<1024>> {};
#endif
st::pipeline<found> pipeline;
