// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule on threads that it is to find, too
//
// A `generated` map lays tasks out over N threads by their weights. `scheduled` does that
// along with all else, but threads are named for it.
//
// expect-error: scheduled_puts_tasks_on_threads_with_names<(stretto::)?generated<2> ?>
// expect-text: .generated<2>. leaves open which threads there are, and .scheduled. puts tasks on threads with names
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
struct laid_out : st::replan<training, st::threads<st::generated<2>>> {};
struct found : st::scheduled<laid_out> {};
#else
struct laid_out : st::replan<training, st::threads<st::generated<2>>> {};
struct found : st::scheduled<laid_out, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
