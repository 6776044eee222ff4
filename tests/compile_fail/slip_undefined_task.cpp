// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task that is declared, but not defined
//
// Tasks may name each other by declaration alone. But the pipeline looks at the fields of each task
// that it lists, and calls it, so it must come after their definitions.
//
// expect-error: a_task_of_the_schedule_is_declared_but_not_defined_here<backward>
// expect-text: task `backward` is declared but not defined here
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

#ifdef FIXED
struct backward {
  using stream = st::stream<"compute">;
  void operator()() const {}
};
#else
struct backward;
#endif

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward, backward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
