// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Having the compiler find a schedule of a thread group with a queue
//
// Lookaheads do what a queue does, so that no schedule is looked for where there is one.
//
// expect-error: scheduled_knows_no_queues_and_no_workers<
// expect-text: .queue<.io., 2>. is in a schedule that .scheduled. is given, which looks for none with a queue or workers
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
struct buffered : st::replan<training, st::place<decode, st::thread<"io">>, st::queue<"io", 2>> {};
struct found : st::scheduled<buffered, st::offered_threads<"a", "b">> {};
#else
struct unbuffered : st::replan<training, st::place<decode, st::thread<"io">>> {};
struct found : st::scheduled<unbuffered, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
