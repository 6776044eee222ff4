// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/compiled/linkage.hpp>
#include <string>
#include <vector>

namespace stretto {

/// How a run came to its end.
enum class run_end {
  none,       ///< there was no run yet, or it has not ended
  completed,  ///< the source ended, and all batches went through
  drained,  ///< a stop was requested: nothing more was pulled, and what was in flight went through
  cancelled,   ///< a stop was requested: no more tasks were started
  left_early,  ///< the user left the loop or destroyed the run while something was left to do
  failed       ///< a task or the source threw
};

/// What became of a run's batches when it stopped.
struct run_report {
  /// A batch that entered the pipeline and did not get through.
  struct unfinished {
    std::size_t batch = 0;
    std::vector<std::string> ran;  ///< the tasks that did finish it, in order
  };
  /// A task that threw, or dropped a batch.
  struct failure {
    std::string task;
    std::size_t batch = 0;
    std::size_t progress = 0;
    std::exception_ptr error;  ///< what it threw; null: it said that the batch is dropped

    /// What the error says; empty if there is none.
    std::string what() const;
  };

  /// A group of batches of which the last ones did not come, so that a task has not run for it.
  struct unfinished_group {
    std::string task;
    std::size_t batches = 0;  ///< how many of it went through; the last ones of the run
  };

  run_end end = run_end::none;
  std::size_t first = 0;  ///< the number of the run's first batch: 0, unless it went on from others
  std::size_t pulled = 0;  ///< how many batches were taken from the source, the first included
  std::size_t finished =
      0;  ///< how many of these, in order, went through every task or were dropped
  std::size_t delivered = 0;  ///< how many results were handed out, in order
  std::size_t dropped = 0;    ///< how many were not, in between, because a task dropped the batch
  std::vector<unfinished> in_flight;
  std::vector<failure> failures;
  /// How many batches were dropped because a task failed that has `on_failure`, each time counted.
  std::size_t dropped_failures = 0;
  /// By batch; of what one task dropped by its verdict, the first 16, and of its dropped failures
  /// the first 16.
  std::vector<failure> drops;
  /// By task; of those that run once per so many batches.
  std::vector<unfinished_group> unfinished_groups;
  /// There was no memory to say more: one of the lists above is missing, or names are. Numbers and
  /// errors are always there.
  bool incomplete = false;

  /// Whether a batch was pulled, and its result not handed out.
  bool holds(std::size_t batch) const {
    return first + delivered + dropped <= batch && batch < first + pulled;
  }
};

/// The failures of tasks that have `on_failure`, for which batches were dropped in a run, perhaps
/// one that goes on.
struct failure_list {
  std::size_t count = 0;                   ///< all of them
  std::vector<run_report::failure> first;  ///< by batch; of each task the first 16
};

}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/report.ipp>
#endif
