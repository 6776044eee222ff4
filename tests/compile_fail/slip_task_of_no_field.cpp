// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task given what is no field
//
// Behind its name and its body a `task` is given fields, each as what a class would have as a
// member. What is none of them would be ignored.
//
// expect-error: a_task_is_given_what_is_no_field_of_a_task<(stretto::task|h2d).*, raw_batch>
// expect-text: task `h2d` is given `raw_batch`, which is no field of a task
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

void copy(int in, int& out) { out = in; }
#ifdef FIXED
using h2d = st::task<"h2d", copy, st::stream<"memcpy">, st::lookahead<1>, st::reads<raw_batch>,
                     st::writes<batch>>;
#else
using h2d =
    st::task<"h2d", copy, st::stream<"memcpy">, st::lookahead<1>, raw_batch, st::writes<batch>>;
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
