// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A misspelled `stream`
//
// A member that nobody looks at would silently leave the task on the host, on no stream.
//
// expect-error: a_task_has_a_misspelled_member<h2d, (stretto::invalid::)?member::strem, (stretto::invalid::)?did_you_mean::stream>
// expect-text: task `h2d` has a member `strem`, which nobody looks at; did you mean `stream`\?
// expect-lines: 15
// expect-compilers: each
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
#ifdef FIXED
  using stream = st::stream<"memcpy">;
#else
  using strem = st::stream<"memcpy">;
#endif
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

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
