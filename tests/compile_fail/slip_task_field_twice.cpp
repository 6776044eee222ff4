// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task given a field twice
//
// Each field of a task is said once, among the fields that a `task` is given or by the class of
// its body.
//
// expect-error: a_task_is_given_a_field_twice<(stretto::task|h2d).*, (stretto::)?writes<batch ?>
// expect-text: task `h2d` is given `(stretto::)?writes<batch ?>`, and another of its kind; keep one, with all that both say
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct rows : st::slot<int> {};

void copy(int in, int& out, int& number) {
  out = in;
  number = 1;
}
#ifdef FIXED
using h2d = st::task<"h2d", copy, st::stream<"memcpy">, st::lookahead<1>, st::reads<raw_batch>,
                     st::writes<batch, rows>>;
#else
using h2d = st::task<"h2d", copy, st::stream<"memcpy">, st::lookahead<1>, st::reads<raw_batch>,
                     st::writes<batch>, st::writes<rows>>;
#endif

struct forward {
  using stream = st::stream<"compute">;
  void operator()(st::in<batch> in, st::out<loss> out) const { out = static_cast<float>(*in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
