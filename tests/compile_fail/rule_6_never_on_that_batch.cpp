// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// # A dependency on a run that there never is
//
// `step` runs for the last batch of each four, `save` for the first of each eight. The run of
// `step` two batches before one of `save` would be that for the seventh batch of eight: there is
// none. Named as the batch that it runs for, one ago, it is waited for.
//
// expect-error: rule_6_a_dependency_names_a_task_that_never_runs_for_that_batch<save, (stretto::)?ago<step, 2>
// expect-text: rule 6: task `save` runs once per 8 batches \(phase 0\) and waits for the run of `step` for the batch 2 batches ago, but that runs once per 4 batches \(phase 3\), never for that one; name it in cross_iter_depends_on 5 batches ago
// expect-at: pipeline<training> pipeline
// expect-lines: 15
#include <stretto/stretto.hpp>

namespace st = stretto;

struct sample : st::slot<int> {};
struct gradient : st::slot<float> {};
struct weights : st::slot<float> {};
struct loss : st::slot<float> {};

struct step {
  static constexpr int every = 4;
  void operator()(st::in<sample>) const {}
};

struct save {
  static constexpr int every = 8;
  static constexpr int phase = 0;
#ifdef FIXED
  using cross_iter_depends_on = st::cross_iter_depends_on<step>;
#else
  using cross_iter_depends_on = st::cross_iter_depends_on<st::ago<step, 2>>;
#endif
  void operator()() const {}
};

struct training : st::schedule<st::source<sample>, step, save> {};

void run() { st::pipeline<training> pipeline; }
