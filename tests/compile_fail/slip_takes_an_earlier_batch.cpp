// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task takes the value of an earlier batch
//
// What an earlier batch left in a slot may be read by several tasks, and by several batches of one.
// It cannot be moved out of there.
//
// expect-error: a_task_takes_the_value_of_an_earlier_batch_which_can_only_be_read<smooth,
// expect-text: task `smooth` reads `takes<stretto::previous<sample> ?>`; what an earlier batch left can only be read: drop the `takes`
// expect-at: pipeline<smoothing> pipeline
// expect-lines: 16
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<float> {};
struct mean : st::slot<float> {};

struct smooth {
#ifdef FIXED
  using reads = st::reads<sample, st::previous<sample>>;
  void operator()(float now, const st::previous<sample>& before, float& out) const {
    out = (now + before.value_or(now)) / 2;
  }
#else
  using reads = st::reads<sample, st::takes<st::previous<sample>>>;
  void operator()(float now, const st::previous<sample>& before, float& out) const {
    out = (now + before.value_or(now)) / 2;
  }
#endif
  using writes = st::writes<mean>;
};

struct smoothing : st::schedule<st::source<sample>, st::result<mean>, smooth> {};

float sum(const float (&samples)[3]) {
  st::pipeline<smoothing> pipeline;
  float total = 0;
  for (const float m : pipeline.run(samples)) total += m;
  return total;
}
