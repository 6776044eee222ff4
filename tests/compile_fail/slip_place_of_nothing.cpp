// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A `place` says nothing
//
// `place` gives a task of the schedule a stream, a lookahead, a thread or a weight.
//
// expect-error: a_place_says_nothing_of_its_task<load>
// expect-text: a `place` of task `load` says nothing; give it a stream, a lookahead, a thread or a weight
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
                               st::place<load, st::lookahead<1>>> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::place<load>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
