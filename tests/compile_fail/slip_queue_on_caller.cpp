// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A queue for the calling thread
//
// The calling thread hands results out, so nothing of it can wait to be handed out later. Put the
// tasks that are to work ahead on a thread of their own.
//
// expect-error: the_calling_thread_has_no_queue_and_no_workers<.*queue<.*> ?>
// expect-text: the queue of thread group `training` would be the calling thread's
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
struct training : st::schedule<st::source<file>, st::result<loss>, load, train,
                               st::caller_runs<"training">, st::queue<"loading", 4>> {};
#else
struct training : st::schedule<st::source<file>, st::result<loss>, load, train,
                               st::caller_runs<"training">, st::queue<"training", 4>> {};
#endif

float sum(const int (&files)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(files)) total += l;
  return total;
}
