// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task has an empty name
//
// Errors, pictures, traces and reports say which task by its name. A task whose `name` is empty
// could not be told from the text around it.
//
// expect-error: rule_1_the_name_of_a_task_is_empty<forward>
// expect-text: rule 1: task number 1 \(from 0\) has an empty name; give it a `name`
// expect-at: pipeline<training> pipeline
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
#ifdef FIXED
  static constexpr std::string_view name = "forward pass";
#else
  static constexpr std::string_view name = "";
#endif
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
