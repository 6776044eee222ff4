// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A field that is not one of Stretto's lists
//
// `reads`, `writes` and the other fields are lists of Stretto's own, so that a list under the wrong
// name is noticed. Another template, such as a tuple, would not be looked at.
//
// expect-error: a_member_of_a_task_is_not_the_list_of_stretto_with_that_name<forward, (stretto::invalid::)?member::reads, std::tuple<batch> ?>
// expect-error-nvcc: a_member_of_a_task_is_not_the_list_of_stretto_with_that_name<forward, (stretto::invalid::)?member::reads, forward::reads>
// expect-text: task `forward` declares `reads` as `std::.*tuple<batch>`; it must be `stretto::reads<...>`
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <tuple>

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
#ifdef FIXED
  using reads = st::reads<batch>;
#else
  using reads = std::tuple<batch>;
#endif
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
