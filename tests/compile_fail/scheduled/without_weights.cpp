// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule of tasks without weights
//
// A schedule is found by how long tasks take: `weight` says so, in any unit that all share. Without
// one, none is better than another.
//
// expect-error: .scheduled. goes by how long tasks take: give them a .weight.
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
#ifdef FIXED
  static constexpr int weight = 300;
#endif
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
#ifdef FIXED
  static constexpr int weight = 400;
#endif
  void operator()(int in, int& out) const { out = in; }
};
struct training : st::schedule<st::source<sample>, st::result<loss>, decode, train> {};

#ifndef FIXED
struct found : st::scheduled<training, st::offered_threads<"a", "b">> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">> {};
#endif
st::pipeline<found> pipeline;
