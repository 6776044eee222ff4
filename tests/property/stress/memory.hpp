// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include "../../support/sanitized.hpp"

/// What the program holds at the moment.
namespace stress::memory {

/// Allocated by operator new and not deleted, on all threads.
std::size_t live_bytes();

/// In main memory, by the account of the system; 0 where it is not known.
std::size_t resident_bytes();

/// Whether that says anything: sanitizers keep what was freed.
#if defined(__linux__)
inline constexpr bool counts_pages = !sanitized;
#else
inline constexpr bool counts_pages = false;
#endif

}  // namespace stress::memory
