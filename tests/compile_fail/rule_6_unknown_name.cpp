// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `depends_on` names what is not a task of the schedule
//
// A dependency on a task that never runs could be ignored or waited for in vain; neither is what
// was meant. A type that exists nowhere is found by the compiler itself; this is for one that is
// declared, but not listed.
//
// expect-error: rule_6_depends_on_names_what_is_not_a_task_of_this_schedule<backward, zero_gradd, (stretto::invalid::)?did_you_mean::task<zero_grad> ?>
// expect-text: rule 6: task `backward` names `zero_gradd` in depends_on, which is not a task of this schedule
// expect-at: pipeline<training> pipeline
// expect-lines: 15
// expect-compilers: all
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

struct zero_grad {
  using stream = st::stream<"compute">;
  void operator()() const {}
};

struct zero_gradd;

struct backward {
  using stream = st::stream<"compute">;
#ifdef FIXED
  using depends_on = st::depends_on<zero_grad>;
#else
  using depends_on = st::depends_on<zero_gradd>;
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
    : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"memcpy", "compute">, h2d,
                   zero_grad, forward, backward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
