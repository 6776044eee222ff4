// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `weights` for `weight`
//
// A task has one weight.
//
// expect-error: a_task_has_a_misspelled_member<forward, (stretto::invalid::)?member::weights, (stretto::invalid::)?did_you_mean::weight>
// expect-text: task `forward` has a member `weights`, which nobody looks at; did you mean `weight`\?
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
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
#ifdef FIXED
  static constexpr int weight = 300;
#else
  static constexpr int weights = 300;
#endif
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"memcpy", "compute">,
                   st::threads<st::generated<2>>, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
