// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <string_view>

namespace stretto {

/// What to do where a run has to wait for user code. Before its first batch it waits for threads to
/// be attached. It ends when every thread has left it, and one that fails, or is left or cancelled,
/// may have a source or a task that does not come back. After so many milliseconds, once a wait,
/// \p tell gets a sentence that names the thread, or the group that lacks one; null: it goes to
/// standard error.
struct patience {
  long milliseconds = 1000;
  void (*tell)(std::string_view sentence) noexcept = nullptr;
};

/// For all such waits of the program that begin from now on. From any thread.
void set_patience(patience how) noexcept;

namespace runner::detail {

// relaxed: two words that nothing else depends on.
inline std::atomic<long> milliseconds_of_patience{patience().milliseconds};
inline std::atomic<decltype(patience::tell)> told_of_lost_patience{nullptr};

/// Says a sentence where the user wants to have it.
[[gnu::cold]] STRETTO_INLINE void tell_of_wait(std::string_view sentence) noexcept;

/// Says that a run cannot end because of \p thread, which \p pulls or runs tasks. \p failed: the
/// task that ended the run, on \p batch; empty: the user did.
[[gnu::cold]] STRETTO_INLINE void tell_lost_patience(std::string_view thread, bool pulls,
                                                     std::string_view failed,
                                                     std::size_t batch) noexcept;

}  // namespace runner::detail

inline void set_patience(patience how) noexcept {
  runner::detail::milliseconds_of_patience.store(how.milliseconds, std::memory_order_relaxed);
  runner::detail::told_of_lost_patience.store(how.tell, std::memory_order_relaxed);
}

}  // namespace stretto

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/patience.ipp>
#endif
