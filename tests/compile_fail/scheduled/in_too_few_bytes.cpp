// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule that keeps to what nothing keeps to
//
// Each slot has one copy at least, and a task that has to stay at its lookahead stays there. If
// `max_bytes` or `max_in_flight` leaves no room for that, there is no schedule.
//
// expect-error: no schedule was found that keeps to .max_in_flight., .max_bytes.
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
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_bytes<128>> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_bytes<512>> {};
#endif
st::pipeline<found> pipeline;
