// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot of a C array
//
// Arrays are neither assigned nor returned. A `std::array` holds the same and can be.
//
// expect-error: the_type_of_a_slot_is_an_array_hold_it_in_std_array<batch, int ?\[3\] ?>
// expect-text: the type of slot `batch`, `int ?\[3\]`, is an array; hold it in a std::array
// expect-lines: 15
// expect-compilers: each
#include <array>
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
#ifdef FIXED
struct batch : st::slot<std::array<int, 3>> {};
#else
struct batch : st::slot<int[3]> {};
#endif
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, auto& out) const { out[0] = in; }
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(const auto& in, float& out) const { out = static_cast<float>(in[0]); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
