// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace stretto::dynamic::detail {

inline void add_to(std::string& text, std::string_view part) { text.append(part); }
template <std::integral Number>
void add_to(std::string& text, Number number) {
  text.append(std::to_string(number));
}

/// Texts and numbers one behind the other. (Not by operator+, of which GCC 12 warns wrongly.)
template <class... Part>
std::string joined(const Part&... parts) {
  std::string text;
  (add_to(text, parts), ...);
  return text;
}

}  // namespace stretto::dynamic::detail
