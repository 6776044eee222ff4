// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Results on a stream that is not declared
//
// `result_on` names one of the schedule's streams: results are handed out in its order. Like a
// stream that a task names, it has to be in `streams`.
//
// expect-error: results_are_handed_out_on_a_stream_that_the_schedule_does_not_declare<.*result_on<.*> ?>
// expect-text: results are to be handed out on stream `reading`, which the schedule does not declare
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct loss : st::slot<float> {};

struct train {
  using stream = st::stream<"compute">;
  using reads = st::reads<file>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<file>, st::result<loss>, st::result_on<"reading">,
                               st::streams<"compute", "reading">, train> {};
#else
struct training : st::schedule<st::source<file>, st::result<loss>, st::result_on<"reading">,
                               st::streams<"compute">, train> {};
#endif

float sum(const int (&files)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(files)) total += l;
  return total;
}
