// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>

namespace stretto::nccl::detail {

/// Lets one thread at a time into the library. Unlike a mutex, it may be unlocked by
/// another thread, as when a body threw.
class owner_lock {
 public:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  static constexpr std::size_t watcher = nobody - 1;

  /// \p who: the node that is run, or the watcher.
  bool try_lock(std::size_t who) {
    std::size_t expected = nobody;
    // acquire: what the one before did in the library is seen.
    return holder_.compare_exchange_strong(expected, who, std::memory_order_acquire,
                                           std::memory_order_relaxed);
  }
  /// Only if \p who has it; whether that was so.
  bool unlock(std::size_t who) {
    std::size_t expected = who;
    // release: for whoever takes it next.
    return holder_.compare_exchange_strong(expected, nobody, std::memory_order_release,
                                           std::memory_order_relaxed);
  }

 private:
  std::atomic<std::size_t> holder_{nobody};
};

}  // namespace stretto::nccl::detail
