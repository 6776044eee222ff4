// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <stretto/compiled/linkage.hpp>

/// Sleeping until a word changes, such that whoever changes it pays nothing while nobody sleeps.
///
/// The changer writes the word and looks whether there are sleepers; the sleeper says that it is
/// one and looks at the word. One of the two must see the other, for which each of them needs a
/// full fence between its write and its read (Dekker's pattern; seq_cst accesses are that). A fence
/// costs as much as a small task, and changers are many while sleepers are few: so where the kernel
/// can have all other threads do one (Linux, membarrier), the sleeper asks for it, and the changer
/// needs none of its own. Asking for it takes longer than most sleeps are worth: so a sleeper first
/// sleeps without, for so short a time that a changer which did not see it does no harm.
namespace stretto::runner::detail {

/// Whether another thread ran on a core that was offered: as far as the clock tells, nobody, one
/// that soon waited itself or offered the core in turn, or one that kept it.
enum class core_use { none, brief, lasting };

/// Offers the core to other threads.
[[gnu::cold]] STRETTO_INLINE core_use yield_core();

/// Whether sleepers fence for changers, as in P1202 (asymmetric fences). Set before there are any
/// of either.
#if defined(__linux__)
inline bool asymmetric_fences = false;
#else
inline constexpr bool asymmetric_fences = false;
#endif

/// To be called before signals are used by several threads.
[[gnu::cold]] STRETTO_INLINE void enable_asymmetric_fences();

/// Makes every other thread of the process do a full fence now.
[[gnu::cold]] STRETTO_INLINE void asymmetric_fence_heavy();

/// Sleeps until woken, or not at all if the word is no longer \p seen. May wake up for no reason.
[[gnu::cold]] STRETTO_INLINE void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t seen);

/// Sleeps likewise, for \p longest milliseconds at most. Whether they are over.
[[gnu::cold]] STRETTO_INLINE bool sleep_while_for(std::atomic<std::uint32_t>& word,
                                                  std::uint32_t seen, long longest);

[[gnu::cold]] STRETTO_INLINE void wake_all(std::atomic<std::uint32_t>& word);

}  // namespace stretto::runner::detail

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/wait/futex.ipp>
#endif
