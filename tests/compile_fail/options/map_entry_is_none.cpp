// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A task stands in a thread map
//
// A thread map is made of entries that say which tasks go to which thread. A task alone says
// nothing of that: put it into a group, or give it a thread of its own.
//
// expect-error: an_entry_of_a_thread_map_is_none<load>
// expect-text: `load` gives no task its thread: a thread map is made of `by_stream`, `per_task`, `on_caller`, `group<"name", tasks...>`, `chosen_by<function>` and `generated<N>`
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
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::threads<st::group<"loading", load>>> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::threads<load>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
