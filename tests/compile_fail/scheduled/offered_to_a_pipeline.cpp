// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Offering threads to a pipeline
//
// A schedule is found before there is a pipeline of it.
//
// expect-error: a_part_of_a_schedule_is_no_option_of_a_pipeline<
// expect-text: write .stretto::pipeline<stretto::scheduled<training, stretto::offered_threads<.a., .b.>>>.
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
using made = st::pipeline<training, st::offered_threads<"a", "b">>;
#else
using made =
    st::pipeline<st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>>>;
#endif
made pipeline;
