// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule of one that is declared only
//
// A schedule is looked for of one that there is.
//
// expect-error: what_was_given_as_a_schedule_is_none_or_is_not_defined_here<later>
// expect-text: .later. is not a schedule, or not defined here
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
struct later;

#ifndef FIXED
struct found : st::scheduled<later, st::offered_threads<"a", "b">> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
