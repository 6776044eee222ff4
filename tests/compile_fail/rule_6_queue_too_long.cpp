// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A queue reaches beyond a run that the group waits for
//
// A task cannot work further ahead than the earlier runs that it waits for. `load` waits for
// `train` of three batches ago; one batch ahead of `train` by its lookahead, it can be two more
// ahead with a queue.
//
// expect-error: rule_6_cross_iter_depends_on_names_a_run_that_is_still_to_come<load, (st|stretto)::ago<train, 3>, (stretto::invalid::)?name_it_batches_ago<5> ?>
// expect-text: rule 6: task `load` \(lookahead 5 with the schedule's queues and workers\) waits for the run of `train` \(lookahead 0\) 3 batches ago, which is still to come; name it at least 5 batches ago
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct file : st::slot<int> {};
struct image : st::slot<int> {};
struct loss : st::slot<float> {};

struct train;

struct load {
  using thread = st::thread<"loading">;
  static constexpr int lookahead = 1;
  using reads = st::reads<file>;
  using writes = st::writes<image>;
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<train, 3>>;
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
    : st::schedule<st::source<file>, st::result<loss>, load, train, st::queue<"loading", 2>> {};
#else
struct training
    : st::schedule<st::source<file>, st::result<loss>, load, train, st::queue<"loading", 4>> {};
#endif

float sum(const int (&files)[3]) {
  st::pipeline<training> pipeline;
  float total = 0;
  for (const float l : pipeline.run(files)) total += l;
  return total;
}
