// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A warning, which is an error here: threads of a schedule that was found overlap nothing
//
// `pipelined` is no help: what it would choose, `scheduled` has looked at.
//
// compile-with: -Werror=deprecated-declarations
// expect-compilers: each, not nvcc
// expect-error: the threads of this schedule, which .scheduled. found, overlap nothing
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
  static constexpr int weight = 0;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  static constexpr int weight = 400;
  void operator()(int in, int& out) const { out = in; }
};
struct training : st::schedule<st::source<sample>, st::result<loss>, decode, train> {};
struct apart : st::replan<training, st::place<decode, st::thread<"disk">>> {};

#ifndef FIXED
struct found : st::scheduled<apart, st::offered_threads<"a">, st::max_in_flight<3>> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
