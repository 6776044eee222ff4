// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Slack that adds no copy
//
// Slack adds copies to those that a slot needs; it cannot take any away.
//
// expect-error: slack_adds_1_to_100000_copies<(st|stretto)::slack<batch, (\(int\))?-1> ?>
// expect-error-nvcc: slack_adds_1_to_100000_copies<roomy>
// expect-text: the slack of slot `batch` adds -1 copies; it adds 1 to 100,000
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
using roomy = st::slack<batch, 1>;
#else
using roomy = st::slack<batch, -1>;
#endif

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, roomy, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
