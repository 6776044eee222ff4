// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fstream>
#include <sstream>
#include <stretto/dynamic/file/problem.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace stretto::bound::detail {

[[noreturn]] inline void refuse(std::string_view name, std::string what) {
  throw dynamic::file_error(name, {{{}, {}, std::move(what)}});
}

/// All that is in a file. Throws `dynamic::file_error` if it cannot be read.
inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(path, "cannot be opened");
  in.peek();  // which a folder fails
  if (in.bad()) refuse(path, "cannot be read");
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) refuse(path, "cannot be read to its end");
  return text.str();
}

}  // namespace stretto::bound::detail
