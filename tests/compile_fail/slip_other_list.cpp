// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A list under the name of another
//
// `using writes = reads<...>` is what copying a line and changing half of it leaves. Which half was
// meant, the library does not guess.
//
// expect-error: a_member_of_a_task_is_not_the_list_of_stretto_with_that_name<h2d, (stretto::invalid::)?member::writes, (st|stretto)::reads<batch> ?>
// expect-error-nvcc: a_member_of_a_task_is_not_the_list_of_stretto_with_that_name<h2d, (stretto::invalid::)?member::writes, h2d::writes>
// expect-text: task `h2d` declares `writes` as `stretto::reads<batch>`; it must be `stretto::writes<...>`
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
#ifdef FIXED
  using writes = st::writes<batch>;
#else
  using writes = st::reads<batch>;
#endif
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

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
