// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # Slack is asked for a slot that nobody uses
//
// `slack` adds copies of a slot. Of one that no task reads or writes there are none.
//
// expect-error: slack_is_for_what_is_not_a_slot_of_this_schedule<(stretto::)?slack<old_batch
// expect-text: slack is asked for slot `old_batch`, which no task of the schedule reads or writes
// expect-lines: 15
#include <stretto/stretto.hpp>
#include <vector>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};
struct old_batch : st::slot<int> {};

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
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::slack<batch>> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, load, train, st::slack<old_batch>> {};
#endif

float sum(const std::vector<int>& batches) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
