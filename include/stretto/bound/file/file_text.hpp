// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/file/content.hpp>
#include <stretto/dynamic/file/problem.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace stretto::bound::detail {

[[noreturn]] inline void refuse(std::string_view name, std::string what) {
  throw dynamic::file_error(name, {{{}, {}, std::move(what)}});
}

/// All that is in a table of costs or a summary of ranges, or in a trace. Throws
/// `dynamic::file_error` if it cannot be read, or is too long.
inline std::string table_in(std::string_view path) {
  return dynamic::shared::content_of(path, dynamic::shared::most_bytes_of_text);
}
inline std::string trace_in(std::string_view path) {
  return dynamic::shared::content_of(path, dynamic::shared::most_bytes_of_trace);
}

}  // namespace stretto::bound::detail
