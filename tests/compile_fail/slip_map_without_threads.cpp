// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A thread map stands in a schedule without `threads`
//
// `per_task`, `on_caller`, groups and the other ways to lay tasks out over threads are entries of a
// thread map. The map is the part of a schedule: `threads<...>`.
//
// expect-error: an_entry_of_a_thread_map_is_among_the_parts_of_a_schedule<(stretto::)?per_task>
// expect-text: `per_task` is an entry of a thread map and no part of a schedule: write `stretto::threads<stretto::per_task>`
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
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, st::threads<st::per_task>,
                               load, train> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, st::per_task, load, train> {
};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
