// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Options of a schedule that is found which it does not know
//
// `scheduled` is told which threads there are, and bounds. What else is to be otherwise, such as a
// thread that a task has to be on, is said by a `replan` of the schedule that it is given.
//
// expect-error: scheduled_keeps_to_offered_threads_max_in_flight_and_max_bytes_and_no_more<
// expect-text: .place<train, .*>. is no option of .scheduled.: those are .offered_threads., .max_in_flight. and .max_bytes.
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
struct found
    : st::scheduled<training, st::offered_threads<"a", "b">, st::place<train, st::thread<"b">>> {};
#else
struct placed : st::replan<training, st::place<train, st::thread<"b">>> {};
struct found : st::scheduled<placed, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
