// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule on threads that it is to find, too
//
// A `generated` map lays tasks out over N threads by their weights. `scheduled` does that
// along with all else, but threads are named for it.
//
// expect-error: the schedule leaves its threads to be generated: name those that there are to be in .offered_threads.
// expect-lines: 25
// expect-lines-nvcc: 40
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
struct training : st::schedule<st::source<sample>, st::result<loss>, st::threads<st::generated<2>>,
                               decode, train> {};

#ifndef FIXED
struct found : st::scheduled<training> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">> {};
#endif
st::pipeline<found> pipeline;
