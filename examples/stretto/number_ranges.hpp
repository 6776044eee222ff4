// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <charconv>
#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <system_error>

/// Accepts numbers from \p least to \p most: whole ones, if these are. CLI11's own range goes by
/// what is left of a number that does not fit.
template <class Number>
CLI::Validator from_to(Number least, Number most) {
  const auto written = [](Number n) {
    char digits[32]{};
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, n).ptr);
  };
  const std::string range = written(least) + " to " + written(most);
  return {[=](std::string& given) {
            Number n{};
            const char* const end = given.data() + given.size();
            const auto read = std::from_chars(given.data(), end, n);
            const bool fits = read.ec == std::errc() && read.ptr == end && least <= n && n <= most;
            return fits ? std::string() : "Value " + given + " not in range " + range;
          },
          range};
}
