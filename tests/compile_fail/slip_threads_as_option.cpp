// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A part of a schedule is given as an option of a pipeline
//
// Options of a pipeline say how it runs: how threads keep pace and wait, who observes, which
// device. On which threads tasks are belongs to the plan, and so to the schedule.
//
// expect-error: a_part_of_a_schedule_is_no_option_of_a_pipeline<(stretto::)?threads<(stretto::)?on_caller> *>
// expect-text: is no option of a pipeline, but of a schedule: write `stretto::pipeline<stretto::replan<training,
// expect-at: runner pipeline
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
using runner = st::pipeline<st::replan<training, st::threads<st::on_caller>>>;
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train> {};
using runner = st::pipeline<training, st::threads<st::on_caller>>;
#endif

float sum(const std::vector<int>& batches) {
  runner pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
