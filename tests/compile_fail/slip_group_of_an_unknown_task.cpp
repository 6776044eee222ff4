// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A thread group names what is not a task
//
// A thread group that lists a task which the schedule does not have would be shorter than it looks.
// Often the task was renamed or taken out.
//
// expect-error: a_thread_group_names_what_is_not_a_task_of_this_schedule<d2h>
// expect-text: a thread group names `d2h`, which is not a task of this schedule
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
  void operator()(int in, float& out) const { out = static_cast<float>(in); }
};

struct d2h;

#ifdef FIXED
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"memcpy", "compute">, h2d,
                   forward, st::threads<st::group<"copies", h2d>>> {};
#else
struct training
    : st::schedule<st::source<raw_batch>, st::result<loss>, st::streams<"memcpy", "compute">, h2d,
                   forward, st::threads<st::group<"copies", h2d, d2h>>> {};
#endif

float sum(const int (&batches)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(batches)) total += l;
  return total;
}
