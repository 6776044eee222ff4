// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/file/problem.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic {

STRETTO_INLINE std::string message(std::string_view file, const file_problem& p) {
  std::string text = text::visible(file);
  if (p.at.line != 0)
    text += std::string(":") + std::to_string(p.at.line) + ":" + std::to_string(p.at.column);
  if (!p.field.empty()) text += ": " + p.field;
  return text + ": " + text::visible(p.what);
}

namespace detail {

inline std::string lines(std::string_view file, const std::vector<file_problem>& problems) {
  std::string text;
  for (const file_problem& p : problems) {
    if (!text.empty()) text += '\n';
    text += message(file, p);
  }
  return text;
}

}  // namespace detail

STRETTO_INLINE file_error::file_error(std::string_view file, std::vector<file_problem> problems)
    : std::runtime_error(detail::lines(file, problems)), problems_(std::move(problems)) {}

}  // namespace stretto::dynamic
