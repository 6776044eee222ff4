// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule of one that breaks a rule
//
// What is wrong with the schedule itself is said as if nothing had been looked for, once.
//
// expect-error: rule_5_.*<train
// expect-text: rule 5: task .train. reads slot .image., which no task writes
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
#ifndef FIXED
struct training : st::schedule<st::source<sample>, st::result<loss>, train> {};
#else
struct training : st::schedule<st::source<sample>, st::result<loss>, decode, train> {};
#endif

struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
st::pipeline<found> pipeline;
