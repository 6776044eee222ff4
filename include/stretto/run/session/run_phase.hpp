// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::runner::detail {

/// Where a run is in its life. In this order; the ways back are from steady, from lent and
/// from paused.
enum class run_phase : unsigned char {
  /// No thread is at work and nothing has been pulled.
  ///   to unsteady: a batch is asked for, and all threads are there
  ///   to closed:   a stop is requested before they are; or the run is left
  ready,
  /// In prefill and drain: the firing rule is asked for every task.
  ///   to steady:   every task of the calling thread fires next, if there is one more batch
  ///   to stopped:  the run was cancelled, or a task failed in a way that ends all at once
  ///   to failing:  a task failed, the last batch before that is through, and the source has a
  ///   thread
  ///                to itself
  ///   to paused:   there is nothing yet, and the last batch is through
  ///   to closed:   the last batch is through, or the last one before a failure; or the run is left
  unsteady,
  /// Every task of the calling thread fires in the next progress, if there is one more batch.
  ///   to unsteady: there was none; or a progress is run with the firing rule all the same
  ///   to stopped, to closed: as above
  steady,
  /// The user's code is called, and the run is asked for nothing else meanwhile: the function of
  /// `for_each` has a result; or, except in steady progresses of a loop, tasks and the source run.
  ///   to what it was before: that has returned, or thrown
  ///   to closed:   the pipeline is destroyed there
  lent,
  /// The source has said that there is nothing yet, what was in flight is through, and all threads
  /// have left. The last result is the user's.
  ///   to unsteady: another batch is asked for
  ///   to closed:   the run is left; or, at once, a task failed or a stop was requested
  paused,
  /// A task failed, and all batches before that are through and handed out. The source is still on
  /// its thread, perhaps in the user's function.
  ///   to failed:   more is asked for, and the failure thrown
  ///   to closed:   the run is left
  failing,
  /// Likewise, and the failure has been thrown.
  ///   to closed:   the run is left
  failed,
  /// All threads have left the run early, and the report is written. Results that were complete by
  /// then are still handed out.
  ///   to closed:   they have been; or the run is left
  stopped,
  /// The report is written and the pipeline is free for another run. The last result is the user's.
  ///   to released: the user asks for more; or the run is destroyed
  closed,
  /// The user is done with the last result. (A run whose results the host hands out need not get
  /// here.)
  released
};

}  // namespace stretto::runner::detail
