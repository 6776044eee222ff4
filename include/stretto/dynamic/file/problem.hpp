// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stdexcept>
#include <stretto/compiled/linkage.hpp>
#include <string>
#include <string_view>
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
STRETTO_INLINE std::string message(std::string_view file, const file_problem& p);

/// A schedule file that cannot be read. what() has a line for each problem.
class file_error : public std::runtime_error {
 public:
  file_error(std::string_view file, std::vector<file_problem> problems);

  const std::vector<file_problem>& problems() const { return problems_; }

 private:
  std::vector<file_problem> problems_;
};

}  // namespace stretto::dynamic

#if !defined(STRETTO_COMPILED)
#  include <stretto/dynamic/file/problem.ipp>
#endif
