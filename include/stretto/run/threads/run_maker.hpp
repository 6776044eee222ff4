// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <stretto/compiled/linkage.hpp>
#include <stretto/run/active_run.hpp>

namespace stretto::runner::detail {

/// The thread that has made the run of a pipeline that is active, if one is.
class run_maker {
 public:
  /// The calling thread, until `clear()`.
  void set();
  void clear();
  bool is_calling_thread() const;
  /// Ends the run of a pipeline that is being destroyed. Only the run's own thread can: another one
  /// would pull the ground from under it.
  void end_run_of_dying(active_run& run) const;

 private:
  std::atomic<const void*> thread_{nullptr};
};

}  // namespace stretto::runner::detail

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/threads/run_maker.ipp>
#endif
