// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task names a communicator and is not collective
//
// A communicator is the group of ranks that a collective task is among. A task that is not
// collective has none, and whoever names one meant it to be.
//
// expect-error: a_task_names_a_communicator_and_is_not_collective<load>
// expect-text: task `load` names a communicator and is not collective
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct load {
#ifdef FIXED
  static constexpr bool collective = true;
#endif
  using communicator = st::communicator<"tables">;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train> {};

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
