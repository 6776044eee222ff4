// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// Whether this is built with the address or the thread sanitizer. GCC says so by macros, Clang 16
/// by features.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#  else
inline constexpr bool sanitized = false;
#  endif
#else
inline constexpr bool sanitized = false;
#endif

/// Whether it is the thread sanitizer.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool thread_sanitized = true;
#elif defined(__has_feature)
#  if __has_feature(thread_sanitizer)
inline constexpr bool thread_sanitized = true;
#  else
inline constexpr bool thread_sanitized = false;
#  endif
#else
inline constexpr bool thread_sanitized = false;
#endif
