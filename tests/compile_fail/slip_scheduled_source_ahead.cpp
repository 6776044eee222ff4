// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule whose source says how far ahead it pulls
//
// How far ahead batches are pulled is part of what is looked for.
//
// expect-error: scheduled_chooses_the_lookahead_of_the_source<(stretto::)?lookahead<2> ?>
// expect-text: the source is placed by .lookahead<2>., and .scheduled. chooses how far ahead batches are pulled
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
struct pulled_ahead : st::replan<training, st::source<sample, st::lookahead<2>>> {};
struct found : st::scheduled<pulled_ahead, st::offered_threads<"a", "b">> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
