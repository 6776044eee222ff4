// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Offering threads to a schedule that the compiler finds in two places
//
// One of them would count, and the other one would be left out.
//
// expect-error: a_schedule_has_two_parts_of_one_kind<
// expect-text: .scheduled. is given two options of one kind, .offered_threads<.a.>. and .offered_threads<.b.>.; name all threads in one
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
struct found : st::scheduled<training, st::offered_threads<"a">, st::offered_threads<"b">> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
