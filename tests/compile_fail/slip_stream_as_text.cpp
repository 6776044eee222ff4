// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `stream` given as text
//
// A stream is a type, `stretto::stream<"name">`, because the plan is made at compile time. A static
// member with the text would not be looked at.
//
// expect-error: the_stream_of_a_task_is_not_a_type_like_stretto_stream<h2d>
// expect-text: the stream of task `h2d` is not a stream: write `using stream = stretto::stream<"name">;`
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
#ifdef FIXED
  using stream = st::stream<"memcpy">;
#else
  static constexpr auto stream = "memcpy";
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
