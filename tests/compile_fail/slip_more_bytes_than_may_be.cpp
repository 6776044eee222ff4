// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Slots take more bytes than they may
//
// `max_bytes` is a bound on what the copies of slots take, cache lines counted. `pipelined` raises
// lookaheads within it; what is declared must be within it as well.
//
// expect-error: declared_lookaheads_alone_exceed_a_bound<.*max_bytes<200(UL|ULL)?>, .*bytes_of_slots<384(UL|ULL)?>
// expect-text: the declared lookaheads alone need 384 bytes for the copies of slots, and `max_bytes` is 200; raise it to 384, or lower lookaheads, queues, workers or slack
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
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::max_bytes<384>> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::max_bytes<200>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
