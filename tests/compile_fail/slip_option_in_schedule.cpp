// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # An option of a pipeline stands in a schedule
//
// How threads wait is no part of a plan: pipelines of one schedule may wait in different ways.
// Options stand behind the schedule.
//
// expect-error: an_option_of_a_pipeline_is_among_the_parts_of_a_schedule<(stretto::)?spin>
// expect-text: `spin` is an option of a pipeline and no part of a schedule: write `stretto::pipeline<training,
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
using runner = st::pipeline<training, st::spin>;
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::spin> {};
using runner = st::pipeline<training>;
#endif

float sum(const std::vector<int>& batches) {
  runner pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
