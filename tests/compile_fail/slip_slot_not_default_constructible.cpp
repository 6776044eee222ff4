// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The type of a slot is not default-constructible
//
// The copies of a slot are made once, with the pipeline, and used for batch after batch. So the
// type needs a default constructor; `std::optional` and `std::unique_ptr` give any type one.
//
// expect-error: the_type_of_a_slot_is_not_default_constructible<batch, buffer>
// expect-text: the type of slot `batch`, `buffer`, is not default-constructible
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct buffer {
  explicit buffer(int n) : size(n) {}
#ifdef FIXED
  buffer() = default;
#endif
  int size = 0;
};

struct raw_batch : st::slot<int> {};
struct batch : st::slot<buffer> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, buffer& out) const { out.size = in; }
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(const buffer& in, float& out) const { out = static_cast<float>(in.size); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
