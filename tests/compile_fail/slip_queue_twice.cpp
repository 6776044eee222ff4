// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A thread group is given a queue twice
//
// A group has one queue and one number of workers. A `replan` of the schedule overrides them.
//
// expect-error: a_thread_group_is_given_queues_or_workers_twice<(stretto::)?queue<
// expect-text: thread group `loading` is given a queue twice; keep one
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
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::place<load, st::thread<"loading">>, st::queue<"loading", 2>> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::place<load, st::thread<"loading">>, st::queue<"loading", 2>,
                               st::queue<"loading", 4>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
