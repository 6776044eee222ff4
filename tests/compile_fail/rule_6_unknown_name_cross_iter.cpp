// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `cross_iter_depends_on` names what is not a task of the schedule
//
// A dependency on a task that never runs could be ignored or waited for in vain; neither is what
// was meant. A common reason is a task taken out of the schedule on which others still wait.
//
// expect-error: rule_6_cross_iter_depends_on_names_what_is_not_a_task_of_this_schedule<forward, (st::|stretto::)?ago<optimizer(, 2)?> ?>
// expect-text: rule 6: task `forward` names `optimizer` in cross_iter_depends_on, which is not a task of this schedule
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

struct forward {
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<optimizer, 2>>;
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward, optimizer> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};
#endif

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
