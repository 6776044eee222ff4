// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # In strict mode: a wait for a batch that has left the ring
//
// The engine whose vocabulary Stretto shares keeps the events of the batches in flight only, and
// rejects a wait on another stream for an older one. Stretto keeps as much history as the waits
// need; only `strict` asks for that engine's verdict.
//
// expect-error: rule_6_cross_iter_depends_on_names_a_run_that_has_left_the_ring<forward, flush>
// expect-text: rule 6: task `forward` waits for `flush` of 1 batch ago on another stream, which has left the ring; put both on one stream, or drop `strict`, which keeps no history
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct flush {
  using stream = st::stream<"memcpy">;
  void operator()() const {}
};

struct forward {
  using cross_iter_depends_on = st::cross_iter_depends_on<flush>;
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward, flush> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, st::strict, h2d, forward, flush> {
};
#endif

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
