// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The calling thread is to run a group without tasks
//
// `caller_runs` has the calling thread run a thread group in place of a thread of the pipeline's
// own. No task of this schedule is in the group.
//
// expect-error: the_calling_thread_runs_a_thread_group_without_tasks<
// expect-text: the calling thread is to run thread group `training`, but no task is in it
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
                   st::place<train, st::thread<"training">>, st::caller_runs<"training">> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::caller_runs<"training">> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
