// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::runner::detail {

/// Where a run is in its life. In this order; the only way back is from steady to unsteady.
enum class run_phase : unsigned char {
  /// No thread is at work and nothing has been pulled.
  ///   to unsteady: a batch is asked for, and all threads are there
  ///   to closed:   a stop is requested before they are; or the run is left
  ready,
  /// In prefill and drain: the firing rule is asked for every task.
  ///   to steady:   every task of the calling thread fires next, if there is one more batch
  ///   to stopped:  a task failed, or the run was cancelled
  ///   to closed:   the last batch is through; or the run is left
  unsteady,
  /// Every task of the calling thread fires in the next progress, if there is one more batch.
  ///   to unsteady: there was none; or a progress is run with the firing rule all the same
  ///   to stopped, to closed: as above
  steady,
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
