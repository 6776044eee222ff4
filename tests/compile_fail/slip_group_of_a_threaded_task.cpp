// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A thread group names a task that has a thread of its own
//
// A thread that a task names itself goes before the thread map. So it is not in the group, and the
// group may have no task at all.
//
// expect-error: a_thread_group_names_a_task_with_a_thread_of_its_own<load, (stretto::)?group<
// expect-text: thread group `work` names task `load`, which has a thread of its own, and that goes first
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
  using thread = st::thread<"mine">;
  void operator()(int in, int& out) const { out = in; }
};
struct train {
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::place<load, st::thread<"work">>, st::workers<"work", 2>> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::threads<st::group<"work", load>>, st::workers<"work", 2>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
