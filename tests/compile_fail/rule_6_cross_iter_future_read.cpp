// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A wait for a run that is still to come
//
// A task that works ahead meets a batch before others have finished the ones before it. When
// `prefetch` is two batches ahead of `optimizer`, the optimizer's run for the previous batch comes
// after it, and waiting for it would wait for ever.
//
// expect-error: rule_6_cross_iter_depends_on_names_a_run_that_is_still_to_come<prefetch, optimizer, (stretto::invalid::)?name_it_batches_ago<2> ?>
// expect-text: rule 6: task `prefetch` \(lookahead 2\) waits for the run of `optimizer` \(lookahead 0\) 1 batch ago, which is still to come; name it at least 2 batches ago
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

struct optimizer {
  using stream = st::stream<"compute">;
  void operator()() const {}
};

struct prefetch {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 2;
#ifdef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<optimizer, 2>>;
#else
  using cross_iter_depends_on = st::cross_iter_depends_on<optimizer>;
#endif
  void operator()() const {}
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"memcpy", "compute">,
                   prefetch, h2d, forward, optimizer> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
