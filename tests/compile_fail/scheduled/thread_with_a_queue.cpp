// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule of a thread group with a queue
//
// Lookaheads do what a queue does, so that no schedule is looked for where there is one.
//
// expect-error: a thread group has a queue or workers, for which .scheduled. looks for nothing
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
    : st::scheduled<st::replan<training, st::place<decode, st::thread<"io">>, st::queue<"io", 2>>,
                    st::offered_threads<"a", "b">> {};
#else
struct found : st::scheduled<st::replan<training, st::place<decode, st::thread<"io">>>,
                             st::offered_threads<"a", "b">> {};
#endif
st::pipeline<found> pipeline;
