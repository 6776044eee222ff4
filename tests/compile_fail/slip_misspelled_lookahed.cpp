// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A letter of `lookahead` left out
//
// A task is a class like any other, so a compiler sees nothing wrong with a member of any name. The
// likely misspellings of each field are known, and an error if they hold what the field would.
//
// expect-error: a_task_has_a_misspelled_member<h2d, (stretto::invalid::)?member::lookahed, (stretto::invalid::)?did_you_mean::lookahead>
// expect-text: task `h2d` has a member `lookahed`, which nobody looks at; did you mean `lookahead`\?
// expect-lines: 15
// expect-compilers: each
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
#ifdef FIXED
  static constexpr int lookahead = 1;
#else
  static constexpr int lookahed = 1;
#endif
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

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
