// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Offering threads to tasks that all have one
//
// `offered_threads` are for tasks that name no thread. One that names its thread stays on it; so
// does each task of a schedule that was found, or whose thread map says where tasks are.
//
// expect-error: threads_are_offered_and_all_tasks_have_theirs<
// expect-text: .offered_threads<.a., .b.>. is for tasks without a thread, and each task of schedule .mapped. has one
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
struct mapped : st::replan<training, st::threads<st::per_task>> {};
struct found : st::scheduled<mapped, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#else
struct found : st::scheduled<training, st::offered_threads<"a", "b">, st::max_in_flight<3>> {};
#endif
st::pipeline<found> pipeline;
