// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/run/wait/futex.hpp>

#if defined(__linux__)
#  include <linux/futex.h>
#  include <linux/membarrier.h>
#  include <sched.h>
#  include <sys/syscall.h>
#  include <time.h>
#  include <unistd.h>
#  include <cerrno>
#else
#  include <chrono>
#  include <thread>
#endif

namespace stretto::runner::detail {

#if defined(__linux__)

STRETTO_INLINE core_use yield_core() {
  constexpr std::int64_t longest_in_vain = 2'000;  // nanoseconds
  constexpr std::int64_t longest_brief = 50'000;   // a time slice takes hundreds of microseconds
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
  };
  const std::int64_t before = now();
  sched_yield();
  const std::int64_t took = now() - before;
  if (took <= longest_in_vain) return core_use::none;
  return took <= longest_brief ? core_use::brief : core_use::lasting;
}

STRETTO_INLINE void enable_asymmetric_fences() {
  static const bool done = [] {
    asymmetric_fences =
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0U, 0) == 0;
    return true;
  }();
  static_cast<void>(done);
}

STRETTO_INLINE void asymmetric_fence_heavy() {
  if (asymmetric_fences) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0U, 0);
}

STRETTO_INLINE void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  static_assert(sizeof word == sizeof(std::uint32_t));
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, seen, nullptr,
          nullptr, 0);
}

STRETTO_INLINE bool sleep_while_for(std::atomic<std::uint32_t>& word, std::uint32_t seen,
                                    long longest) {
  const timespec limit{longest / 1000, longest % 1000 * 1'000'000};
  return syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, seen,
                 &limit, nullptr, 0) != 0 &&
         errno == ETIMEDOUT;
}

STRETTO_INLINE void wake_all(std::atomic<std::uint32_t>& word) {
  constexpr int everybody = 0x7fffffff;
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, everybody,
          nullptr, nullptr, 0);
}

#else

STRETTO_INLINE core_use yield_core() {
  std::this_thread::yield();
  return core_use::none;
}
STRETTO_INLINE void enable_asymmetric_fences() {}
STRETTO_INLINE void asymmetric_fence_heavy() {}
STRETTO_INLINE void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  word.wait(seen, std::memory_order_seq_cst);
}
STRETTO_INLINE bool sleep_while_for(std::atomic<std::uint32_t>&, std::uint32_t, long longest) {
  std::this_thread::sleep_for(std::chrono::milliseconds(longest));
  return true;
}
STRETTO_INLINE void wake_all(std::atomic<std::uint32_t>& word) { word.notify_all(); }

#endif

}  // namespace stretto::runner::detail
