// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [pipeline]
#include <cstdio>
#include <stretto/stretto.hpp>
#include <vector>
namespace st = stretto;
struct sample : st::slot<std::vector<float>> {};  // what travels with a batch
struct features : st::slot<std::vector<float>> {};
struct loss : st::slot<float> {};

struct prepare {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;  // one batch ahead of `train`
  using reads = st::reads<sample>;
  using writes = st::writes<features>;
  void operator()(const std::vector<float>& in, std::vector<float>& out) const {
    out = in;
    for (float& x : out) x *= x;
  }
};

struct train {
  using stream = st::stream<"compute">;
  using reads = st::reads<features>;
  using writes = st::writes<loss>;
  float weight = 0;  // a task may hold state
  void operator()(const std::vector<float>& in, float& out) {
    for (const float x : in) weight += 0.1F * (out = 1 - weight * x) * x;
  }
};

struct training : st::schedule<st::source<sample>, st::result<loss>, st::streams<"copy", "compute">,
                               prepare, train> {};

#ifndef WITHOUT_MAIN
int main() {
  const std::vector<std::vector<float>> batches(8, {0.5F, 1.0F, 1.5F});
  st::pipeline<training> pipeline;  // one thread per stream
  for (const float l : pipeline.run(batches)) std::printf("%.3f\n", l);
}
#endif
// [pipeline]
