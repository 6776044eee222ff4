// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A slot of a reference or a const type
//
// A slot's value is written anew for every batch, which a reference or a const type does not allow.
// Hold a pointer, or drop the const: readers get the slot as const anyway.
//
// expect-error: the_type_of_a_slot_is_const_or_no_object<batch, const int ?&>
// expect-text: the type of slot `batch`, `const int ?&`, is const or no object
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
#ifdef FIXED
struct batch : st::slot<int> {};
#else
struct batch : st::slot<const int&> {};
#endif
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(auto&&...) const {}
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
