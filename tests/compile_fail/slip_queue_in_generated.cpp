// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A queue in a generated thread map
//
// Which tasks share a thread is not known before a generated map is made, and what a queue needs
// would change which map is best. Name the threads instead.
//
// expect-error: a_generated_thread_map_has_no_queues_and_no_workers<.*queue<.*> ?>
// expect-text: the queue of thread group `loading` and a generated thread map are in one schedule
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
struct training : st::schedule<st::source<file>, st::result<loss>, load, train,
                               st::threads<st::generated<3>>, st::queue<"loading", 4>> {};
#endif

float sum(const int (&files)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(files)) total += l;
  return total;
}
