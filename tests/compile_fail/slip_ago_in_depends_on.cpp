// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `ago` outside `cross_iter_depends_on`
//
// `depends_on` speaks of the same batch and `same_progress_sync` of the same progress. A number of
// batches has a meaning in `cross_iter_depends_on` only.
//
// expect-error: ago_is_for_cross_iter_depends_on_only<backward, (st|stretto)::ago<forward(, 1)?> ?>
// expect-text: task `backward` names `ago<forward(, 1)?>` in a field that speaks of one batch or progress; `ago` belongs in `cross_iter_depends_on`
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

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct backward {
  using stream = st::stream<"compute">;
#ifdef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<forward, 1>>;
#else
  using depends_on = st::depends_on<st::ago<forward, 1>>;
#endif
  void operator()() const {}
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward, backward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
