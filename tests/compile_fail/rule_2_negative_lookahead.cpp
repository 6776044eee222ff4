// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A negative lookahead
//
// Lookahead counts how many batches ahead of the training step a task works, and the training step
// itself is 0. What has to come later than a batch's own step belongs to a later batch: give the
// others a higher lookahead.
//
// expect-error: rule_2_the_lookahead_of_a_task_is_negative<backward>
// expect-text: rule 2: task `backward` has lookahead -1; raise it to at least 0
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

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct backward {
  using stream = st::stream<"compute">;
#ifndef FIXED
  static constexpr int lookahead = -1;
#endif
  using depends_on = st::depends_on<forward>;
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
