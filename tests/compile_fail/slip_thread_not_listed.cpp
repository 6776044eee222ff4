// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task is on a misspelled thread
//
// Where a schedule lists its threads by `thread_names`, a task is on one of them, wherever its
// thread is named: in the task, by `place`, a `group` or a thread map's function. If a name is
// near, it was probably meant.
//
// expect-error: a_task_is_on_a_thread_that_thread_names_does_not_list<load, .*thread<.*did_you_mean::group<
// expect-text: task `load` is on thread `loadign`, which `thread_names` does not list; did you mean `loading`\?
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
                   st::thread_names<"loading", "files">, st::place<load, st::thread<"loading">>> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                   st::thread_names<"loading", "files">, st::place<load, st::thread<"loadign">>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
