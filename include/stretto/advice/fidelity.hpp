// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/advice/price.hpp>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/plan/layout/period.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace stretto {

/// What a run took, by its timeline, in nanoseconds. Refers to the timeline's names.
struct measured_run {
  /// What a task, or the source, took of a thread's time for a batch.
  struct share {
    std::string_view task;
    long long took = 0;    ///< the mean
    long long waited = 0;  ///< the mean from the end of what the thread did before
  };

  explicit measured_run(const timeline& record);

  std::vector<task_cost> costs;  ///< as of `measured_costs`
  long long period = 0;  ///< of a progress: the median of windows of batches; 0: too few to tell
  std::vector<share> shares;
};

/// How well the model of a plan tells what was measured. Beyond 5 % its advice is worth nothing.
struct fidelity {
  planner::ratio modelled;
  long long measured = 0;  ///< 0: nobody said
  std::string task{};      ///< of which more was measured than modelled; empty: nobody knows
  long long residual = 0;  ///< for each batch
  bool waiting = false;    ///< before the task, not in it

  /// How far they are apart, as a share of what was measured.
  double apart() const;
  bool holds() const { return measured == 0 || apart() <= 0.05; }
};

namespace advising {

/// Compares a plan with a run of it.
STRETTO_INLINE fidelity compare(const priced_plan& p, const pricing& by, const measured_run& run);

}  // namespace advising

}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/advice/fidelity.ipp>
#endif
