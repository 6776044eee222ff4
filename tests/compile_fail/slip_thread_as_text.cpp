// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `thread` given as text
//
// A thread is a type, `stretto::thread<"name">`, because the plan is made at compile time. A static
// member with the text would not be looked at.
//
// expect-error: the_thread_of_a_task_is_not_a_type_like_stretto_thread<h2d>
// expect-text: the thread of task `h2d` is not a thread: write `using thread = stretto::thread<"name">;`
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
#ifdef FIXED
  using thread = st::thread<"loader">;
#else
  static constexpr auto thread = "loader";
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
