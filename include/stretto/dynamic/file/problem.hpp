// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stdexcept>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stretto::dynamic {

/// A position in a text. Both count from 1, columns in characters; line 0 is no position in
/// particular.
struct text_position {
  std::size_t line = 0;
  std::size_t column = 0;

  friend bool operator==(const text_position&, const text_position&) = default;
};

/// Something that is wrong with a schedule file.
struct file_problem {
  text_position at{};
  std::string field{};  ///< such as `tasks[3].lookahead`; empty: no field in particular
  std::string what{};
};

/// A problem in one line, as compilers write theirs.
inline std::string message(std::string_view file, const file_problem& p) {
  std::string text = text::visible(file);
  if (p.at.line != 0)
    text += std::string(":") + std::to_string(p.at.line) + ":" + std::to_string(p.at.column);
  if (!p.field.empty()) text += ": " + p.field;
  return text + ": " + text::visible(p.what);
}

/// A schedule file that cannot be read. what() has a line for each problem.
class file_error : public std::runtime_error {
 public:
  file_error(std::string_view file, std::vector<file_problem> problems)
      : std::runtime_error(lines(file, problems)), problems_(std::move(problems)) {}

  const std::vector<file_problem>& problems() const { return problems_; }

 private:
  static std::string lines(std::string_view file, const std::vector<file_problem>& problems) {
    std::string text;
    for (const file_problem& p : problems) {
      if (!text.empty()) text += '\n';
      text += message(file, p);
    }
    return text;
  }

  std::vector<file_problem> problems_;
};

}  // namespace stretto::dynamic
