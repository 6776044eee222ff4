// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The type of a slot is declared, but not defined
//
// The pipeline holds the copies of each slot, so it must know the type of the value. Include its
// header, or hold it in a `std::unique_ptr`.
//
// expect-error: the_type_of_a_slot_is_declared_but_not_defined_here<batch, buffer>
// expect-text: the type of slot `batch`, `buffer`, is declared but not defined here
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

#ifdef FIXED
struct buffer {
  int size = 0;
};
#else
struct buffer;
#endif

struct raw_batch : st::slot<int> {};
struct batch : st::slot<buffer> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int, buffer&) const {}
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(const buffer&, float&) const {}
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
