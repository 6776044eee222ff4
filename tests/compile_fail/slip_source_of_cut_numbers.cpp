// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A source of numbers of which the slot loses a part
//
// The language makes an integer of any fraction or larger integer, and a bool of any number. Of a
// source nobody would see it happen.
//
// expect-error: the_source_yields_numbers_of_which_its_slot_cuts_something_off<double, raw_batch>
// expect-text: the source yields `double`, of which slot `raw_batch`, of type `int`, would lose a part: give the slot a type that holds it
// expect-at: run\(
// expect-lines: 15
// expect-compilers: all
#include <stretto/stretto.hpp>
#include <vector>

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
  const std::vector<int> batches(3);
#else
  const std::vector<double> batches(3);
#endif
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
