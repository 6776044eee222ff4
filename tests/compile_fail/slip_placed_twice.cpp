// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task is placed twice
//
// Within one schedule, and within one `replan`, each stream, lookahead, thread and weight of a task
// is said once. A `replan` of the schedule overrides it.
//
// expect-error: a_task_is_placed_twice<load, (stretto::)?lookahead<3> *>
// expect-text: task `load` is placed twice: `lookahead<3>` says what an entry before it has said
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
                               st::place<load, st::lookahead<2>>, st::place<load, st::weight<3>>> {
};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                   st::place<load, st::lookahead<2>>, st::place<load, st::lookahead<3>>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
