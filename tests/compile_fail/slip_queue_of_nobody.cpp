// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A queue for a thread group without tasks
//
// A queue for a thread group that no task is in would hold nothing. If a name is near, it was
// probably meant; or the tasks have moved to another thread.
//
// expect-error: a_queue_or_workers_are_for_a_thread_group_without_tasks<.*queue<.*did_you_mean::group<
// expect-text: no task is in the group that is to have the queue of thread group `loadings`; did you mean `loading`\?
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<float> {};

struct load {
  using thread = st::thread<"loading">;
  static constexpr int lookahead = 1;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  void operator()(int in, int& out) const { out = in; }
};

struct train {
  using thread = st::thread<"training">;
  using reads = st::reads<image>;
  using writes = st::writes<loss>;
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

#ifdef FIXED
struct training
    : st::schedule<st::source<file>, st::result<loss>, load, train, st::queue<"loading", 4>> {};
#else
struct training
    : st::schedule<st::source<file>, st::result<loss>, load, train, st::queue<"loadings", 4>> {};
#endif

float sum(const int (&files)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(files)) total += l;
  return total;
}
