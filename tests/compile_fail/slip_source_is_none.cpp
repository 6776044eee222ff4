// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # What is given to `run` is not a source
//
// A run takes its batches from a range or from a function. A single value is neither.
//
// expect-error: a_source_is_a_range_or_a_function<int, raw_batch>
// expect-text: a source is a range of `int` or a function; this has type `int`
// expect-at: run\(
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

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(st::pipeline<training>& pipeline) {
#ifdef FIXED
  const int batches[3] = {};
#else
  const int batches = 3;
#endif
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
