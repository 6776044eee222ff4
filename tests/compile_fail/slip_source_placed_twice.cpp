// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source is placed twice
//
// The source has one lookahead, one thread and one weight.
//
// expect-error: a_source_is_placed_twice<(stretto::)?lookahead<3> *>
// expect-text: the source is placed twice: `lookahead<3>` says what an entry before it has said
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
struct training
    : st::schedule<st::source<raw_batch, st::lookahead<3>>, st::result<loss>, load, train> {};
#else
struct training : st::schedule<st::source<raw_batch, st::lookahead<2>, st::lookahead<3>>,
                               st::result<loss>, load, train> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
