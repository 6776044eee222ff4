// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A misspelled `reads`
//
// A member that nobody looks at would silently drop the slots. So the names that come to mind for a
// field are known, and an error, if what they hold is one of Stretto's lists.
//
// expect-error: a_task_has_a_misspelled_member<h2d, (stretto::invalid::)?member::read, (stretto::invalid::)?did_you_mean::reads>
// expect-text: task `h2d` has a member `read`, which nobody looks at; did you mean `reads`\?
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
#ifdef FIXED
  using reads = st::reads<raw_batch>;
#else
  using read = st::reads<raw_batch>;
#endif
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

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
