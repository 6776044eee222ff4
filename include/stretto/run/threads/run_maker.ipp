// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/run/error.hpp>
#include <stretto/run/threads/run_maker.hpp>

namespace stretto::runner::detail {

/// Differs from thread to thread, as long as they live.
STRETTO_INLINE const void* this_thread() {
  static thread_local char somewhere;
  return &somewhere;
}

// relaxed: who asks wants to know of its own thread only.
STRETTO_INLINE void run_maker::set() { thread_.store(this_thread(), std::memory_order_relaxed); }
STRETTO_INLINE void run_maker::clear() { thread_.store(nullptr, std::memory_order_relaxed); }
STRETTO_INLINE bool run_maker::is_calling_thread() const {
  return thread_.load(std::memory_order_relaxed) == this_thread();
}
STRETTO_INLINE void run_maker::end_run_of_dying(active_run& run) const {
  if (!is_calling_thread())
    end_program(
        "a pipeline was destroyed by another thread than the one whose run of it is active (by "
        "std::exit, if it is a static one): end the run first");
  run.outlive_pipeline();
}

}  // namespace stretto::runner::detail
