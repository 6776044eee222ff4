// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A serial plan is given threads
//
// `serial` has one stream and the calling thread, so a `replan` of it cannot say more of threads.
// The other way round it can: the serial plan of a replanned schedule is the serial plan.
//
// expect-error: a_serial_plan_makes_nothing_of_a_part<(stretto::)?threads<(stretto::)?per_task>, baseline>
// expect-text: makes nothing of `threads<stretto::per_task>`; replan the schedule that is not serial, or drop it
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct load {
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train> {};
struct baseline : st::serial<training> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train> {};
struct baseline : st::replan<st::serial<training>, st::threads<st::per_task>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<baseline> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
