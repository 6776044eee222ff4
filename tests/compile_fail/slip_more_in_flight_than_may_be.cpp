// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # More batches are in flight than may be
//
// `max_in_flight` is a bound on the plan. `pipelined` raises lookaheads within it; what is
// declared, with queues and workers, must be within it as well.
//
// expect-error: declared_lookaheads_alone_exceed_a_bound<.*max_in_flight<2>, .*batches_in_flight<4>
// expect-text: the declared lookaheads alone need 4 batches in flight, and `max_in_flight` is 2; raise it to 4, or lower lookaheads, queues or workers
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct load {
  static constexpr int lookahead = 3;
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
                               st::pipelined<>, st::max_in_flight<4>> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::pipelined<>, st::max_in_flight<2>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
