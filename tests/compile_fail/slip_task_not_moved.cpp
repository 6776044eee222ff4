// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task that cannot be copied was not moved
//
// The pipeline holds its tasks by value. A task that can only be moved is passed with `std::move`.
//
// expect-error: a_task_that_cannot_be_copied_was_passed_without_std_move<forward>
// expect-text: task `forward` cannot be copied into the pipeline: pass it with std::move
// expect-at: pipeline{step
// expect-lines: 15
#include <memory>
#include <stretto/stretto.hpp>
#include <utility>

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

struct model {
  float weight = 1;
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  std::unique_ptr<model> parameters;
  void operator()(int in, float& out) const { out = static_cast<float>(in) * parameters->weight; }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(forward step, const int (&batches)[3]) {
#ifdef FIXED
  st::pipeline<training> pipeline{std::move(step)};
#else
  st::pipeline<training> pipeline{step};
#endif
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
