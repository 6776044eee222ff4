// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task is in two groups of a thread map
//
// A task runs on one thread.
//
// expect-error: a_task_is_named_by_thread_groups_twice<load,
// expect-text: thread group `working` names task `load`, which is in a group of this thread map already
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct load {
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                   st::threads<st::group<"loading", load>, st::group<"working", train>>> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                   st::threads<st::group<"loading", load>, st::group<"working", load, train>>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
