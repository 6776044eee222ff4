// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A lookahead stands among the parts of a schedule
//
// `lookahead`, `stream`, `thread` and `weight` are of a task: a member of it, or what `place` says
// of it. Among the parts of a schedule they would be nobody's.
//
// expect-error: what_belongs_to_a_task_is_among_the_parts_of_a_schedule<stretto::lookahead<2>, training>|what_belongs_to_a_task_is_among_the_parts_of_a_schedule<(stretto::|st::)?lookahead<2>, training>
// expect-text: `lookahead<2>` stands among the parts of schedule `training`, where it belongs to no task
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
                               st::place<load, st::lookahead<2>>> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::lookahead<2>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
