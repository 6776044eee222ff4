// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>

#if defined(__linux__)
#  include <linux/futex.h>
#  include <linux/membarrier.h>
#  include <sched.h>
#  include <sys/syscall.h>
#  include <time.h>
#  include <unistd.h>
#else
#  include <chrono>
#  include <thread>
#endif

/// Sleeping until a word changes, such that whoever changes it pays nothing while nobody sleeps.
///
/// The changer writes the word and looks whether there are sleepers; the sleeper says that it is
/// one and looks at the word. One of the two must see the other, for which each of them needs a
/// full fence between its write and its read (Dekker's pattern; seq_cst accesses are that). A fence
/// costs as much as a small task, and changers are many while sleepers are few: so where the kernel
/// can have all other threads do one (Linux, membarrier), the sleeper asks for it, and the changer
/// needs none of its own.
namespace stretto::runner::detail {

#if defined(__linux__)

/// Offers the core to other threads. Whether one took it, as far as the clock tells.
inline bool yield_core() {
  constexpr std::int64_t longest_in_vain = 2000;  // nanoseconds
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
  };
  const std::int64_t before = now();
  sched_yield();
  return now() - before > longest_in_vain;
}

/// Whether sleepers fence for changers, as in P1202 (asymmetric fences). Set before there are any
/// of either.
inline bool asymmetric_fences = false;

/// To be called before signals are used by several threads.
inline void enable_asymmetric_fences() {
  static const bool done = [] {
    asymmetric_fences =
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0U, 0) == 0;
    return true;
  }();
  static_cast<void>(done);
}

/// Makes every other thread of the process do a full fence now.
inline void asymmetric_fence_heavy() {
  if (asymmetric_fences) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0U, 0);
}

/// Sleeps until woken, or not at all if the word is no longer \p seen. May wake up for no reason.
inline void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  static_assert(sizeof word == sizeof(std::uint32_t));
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, seen, nullptr,
          nullptr, 0);
}

/// Sleeps likewise, for \p longest milliseconds at most.
inline void sleep_while_for(std::atomic<std::uint32_t>& word, std::uint32_t seen, long longest) {
  const timespec limit{longest / 1000, longest % 1000 * 1'000'000};
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, seen, &limit,
          nullptr, 0);
}

inline void wake_all(std::atomic<std::uint32_t>& word) {
  constexpr int everybody = 0x7fffffff;
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, everybody,
          nullptr, nullptr, 0);
}

#else

inline bool yield_core() {
  std::this_thread::yield();
  return false;
}
inline constexpr bool asymmetric_fences = false;
inline void enable_asymmetric_fences() {}
inline void asymmetric_fence_heavy() {}
inline void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen) {
  word.wait(seen, std::memory_order_seq_cst);
}
inline void sleep_while_for(std::atomic<std::uint32_t>&, std::uint32_t, long longest) {
  std::this_thread::sleep_for(std::chrono::milliseconds(longest));
}
inline void wake_all(std::atomic<std::uint32_t>& word) { word.notify_all(); }

#endif

}  // namespace stretto::runner::detail
