// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A function as source that has no end
//
// A function that is a source says when there are no more batches: it returns an empty
// `std::optional`, or takes the slot by reference and returns false.
//
// expect-error: a_function_as_source_must_return_optional_or_fill_the_slot<int, raw_batch>
// expect-text: a source that is a function returns a std::optional, empty at the end, .*; this one returns `int`
// expect-at: pipeline.run
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
  auto batches = [n = 0](int& slot) mutable { return (slot = n++) < 3; };
#else
  auto batches = [n = 0]() mutable { return n++; };
#endif
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
