// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # `same_progress_sync` names what is not a task of the schedule
//
// The dependency fields name tasks. To come after whoever writes a slot, read the slot: that is an
// order as well.
//
// expect-error: rule_6_same_progress_sync_names_what_is_not_a_task_of_this_schedule<forward, batch>
// expect-text: rule 6: task `forward` names `batch` in same_progress_sync, which is not a task of this schedule
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct raw_batch : st::slot<int> {};
struct batch : st::slot<int> {};
struct loss : st::slot<float> {};

struct h2d {
  using stream = st::stream<"memcpy">;
  static constexpr int lookahead = 1;
  using reads = st::reads<raw_batch>;
  using writes = st::writes<batch>;
  void operator()(int in, int& out) const { out = in; }
};

struct forward {
  using stream = st::stream<"compute">;
  using reads = st::reads<batch>;
  using writes = st::writes<loss>;
#ifdef FIXED
  using same_progress_sync = st::same_progress_sync<h2d>;
#else
  using same_progress_sync = st::same_progress_sync<batch>;
#endif
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct training : st::schedule<st::source<raw_batch>, st::result<loss>,
                               st::streams<"memcpy", "compute">, h2d, forward> {};

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
