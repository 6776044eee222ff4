// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/compiled/linkage.hpp>
#include <string>
#include <string_view>

namespace stretto::dynamic::shared {

/// The longest schedule, table of costs or summary of ranges that is read, and the longest trace:
/// some five million runs of tasks.
inline constexpr std::size_t most_bytes_of_text = std::size_t{1} << 25U;
inline constexpr std::size_t most_bytes_of_trace = std::size_t{1} << 29U;

/// The sentence about a file that is too long.
inline std::string longer_than(std::size_t most) {
  return std::string("longer than ") + std::to_string(most >> 20U) + " MiB";
}
/// The sentence about an error while a file is read: mostly, that memory runs out.
STRETTO_INLINE std::string too_much(const std::exception& e);

/// All that is in a file. Throws `file_error` if it cannot be read, or has more than \p most bytes,
/// a whole number of MiB.
STRETTO_INLINE std::string content_of(std::string_view path, std::size_t most);

}  // namespace stretto::dynamic::shared

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/file/content.ipp>
#endif
