// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # An option of a pipeline is none
//
// Options are a pace, a wait strategy, an observer, `pinned`, a device and collectives. Tasks are
// listed in the schedule.
//
// expect-error: what_was_given_as_an_option_of_a_pipeline_is_none<load>
// expect-text: `load` is no option of a pipeline
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

struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train> {};
#ifdef FIXED
using runner = st::pipeline<training>;
#else
using runner = st::pipeline<training, load>;
#endif

float sum(const std::vector<int>& batches) {
  runner pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
