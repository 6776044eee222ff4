// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// [pipeline]
#include <iostream>
#include <stretto/stretto.hpp>
#include <vector>
namespace st = stretto;
using floats = std::vector<float>;

struct sample : st::slot<floats> {};  // what travels with a batch
struct features : st::slot<floats> {};
struct loss : st::slot<float> {};

struct prepare {
  using stream = st::stream<"copy">;
  static constexpr int lookahead = 1;  // one batch ahead of `train`
  using reads = st::reads<sample>;
  using writes = st::writes<features>;
  void operator()(const floats& in, floats& out) const {
    for (out = in; float& x : out) x *= x;
  }
};
struct train {
  using stream = st::stream<"compute">;
  using reads = st::reads<features>;
  using writes = st::writes<loss>;
  float weight = 0;  // a task may hold state
  void operator()(const floats& in, float& out) {
    for (const float x : in) weight += 0.1F * (out = 1 - weight * x) * x;
  }
};
struct training : st::schedule<st::source<sample>, st::result<loss>, st::streams<"copy", "compute">,
                               prepare, train> {};
#ifndef WITHOUT_MAIN
int main() {
  st::pipeline<training> pipeline;  // one thread per stream
  for (const float l : pipeline.run(std::vector(8, floats{0.5F, 1, 1.5F}))) std::cout << l << '\n';
}
#endif
// [pipeline]
