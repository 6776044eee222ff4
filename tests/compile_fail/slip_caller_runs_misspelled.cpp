// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # The calling thread is to run a misspelled group
//
// `caller_runs` names a thread group that no task is in. If a name is near, it was probably meant.
//
// expect-error: the_calling_thread_runs_a_thread_group_without_tasks<.*caller_runs<.*did_you_mean::group<
// expect-text: the calling thread is to run thread group `trainers`, but no task is in it; did you mean `trainer`\?
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
  using thread = st::thread<"trainer">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::caller_runs<"trainer">> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::caller_runs<"trainers">> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
