// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # An entry of a thread map comes too late
//
// `on_caller` and `per_task` give every task its thread: what stands behind them in the thread map
// is not asked any more.
//
// expect-error: an_entry_of_a_thread_map_is_not_used<(stretto::)?group<
// expect-text: makes nothing of `group<"loading", load>`, because an entry before it gives all tasks their threads; put it before that one
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
                               st::threads<st::group<"loading", load>, st::on_caller>> {};
#else
struct training : st::schedule<st::source<raw_batch>, st::result<loss>, load, train,
                               st::threads<st::on_caller, st::group<"loading", load>>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
