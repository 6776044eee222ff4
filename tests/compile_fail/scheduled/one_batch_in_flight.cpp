// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A warning, which is an error here: a schedule that was found for one batch in flight
//
// Without `max_in_flight` as many batches are in flight as the schedule has: where no task looks
// ahead, one.
//
// compile-with: -Werror=deprecated-declarations
// expect-compilers: each, not nvcc
// expect-error: this schedule, which .scheduled. found, has one batch in flight.*.max_in_flight<3>.
// expect-lines: 20
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
struct found : st::scheduled<training, st::offered_threads<"a", "b">> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif

// What is meant is no reason for a warning.
struct meant : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<1>> {};
st::pipeline<meant> quiet;
st::pipeline<found> pipeline;
