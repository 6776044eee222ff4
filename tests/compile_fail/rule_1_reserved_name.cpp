// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task has the name of one that every plan has
//
// Every plan takes batches from the source in a host task called `pull`, and hands results out in
// one called `deliver`. Errors, pictures, traces and reports say which task by its name, so no
// other task can have these.
//
// expect-error: rule_1_a_task_has_the_name_of_one_that_every_plan_has<deliver>
// expect-text: rule 1: task `deliver` has the name of what hands results out, a task of every plan; give it a `name`
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

struct deliver {
#ifdef FIXED
  static constexpr std::string_view name = "send";
#endif
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, deliver> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
