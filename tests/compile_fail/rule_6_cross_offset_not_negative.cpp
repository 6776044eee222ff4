// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `cross_iter_depends_on` of the same batch
//
// `cross_iter_depends_on` speaks of batches before the task's own, so `ago` counts from 1. To wait
// for a task's run on the same batch there is `depends_on`.
//
// expect-error: rule_6_cross_iter_depends_on_must_name_an_earlier_batch<forward, (st::|stretto::)?ago<optimizer, 0> ?, (stretto::invalid::)?name_it_batches_ago<1> ?>
// expect-text: rule 6: task `forward` names `optimizer` in cross_iter_depends_on 0 batches ago; name it at least 1 batch ago, or in depends_on, which speaks of the same batch
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

struct optimizer;

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
#ifdef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<optimizer, 1>>;
#else
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<optimizer, 0>>;
#endif
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct optimizer {
  using stream = st::stream<"compute">;
  void operator()() const {}
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward, optimizer> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
