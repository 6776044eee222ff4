// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A body that takes a number that it reads as a narrower one
//
// A conversion that nobody sees would lose values: fractions here. What is read may convert to a
// number that holds all values of its own type, such as an `int` to a `long`, and to whatever else
// it converts to, such as a `std::string` to a `std::string_view`.
//
// expect-error: a_task_takes_a_slot_as_a_type_that_cannot_hold_all_its_values<h2d, raw_batch, double>
// expect-text: task `h2d` takes slot `raw_batch` as a type that cannot hold every `double`; take it as `double`, and convert it in the body
// expect-lines: 15
// expect-compilers: each
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<double> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
#ifdef FIXED
  void operator()(double in, int& out) const { out = static_cast<int>(in); }
#else
  void operator()(int in, int& out) const { out = in; }
#endif
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const double (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
