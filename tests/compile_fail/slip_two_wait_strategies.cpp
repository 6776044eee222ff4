// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A pipeline is given two options of one kind
//
// Threads wait in one way. The second strategy would not be looked at.
//
// expect-error: a_pipeline_was_given_two_options_of_one_kind<(stretto::)?spin, (stretto::)?spin_then_sleep<
// expect-text: a pipeline has one option of each kind, and was given `spin` and `spin_then_sleep<
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
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train> {};
using runner = st::pipeline<training, st::spin, st::spin_then_sleep<>>;
#endif

float sum(const std::vector<int>& batches) {
  runner pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
