// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/dynamic/file/problem.hpp>
#include <string>
#include <string_view>

namespace stretto::dynamic::shared {

/// Where the byte of that number is in a text.
inline text_position position_in(std::string_view source, std::size_t at) {
  const std::string_view before = source.substr(0, at);
  const std::size_t line = before.rfind('\n') + 1;  // 0 if there is none
  const auto starts_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  };
  return {
      1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
      1 + static_cast<std::size_t>(std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line),
                                                 before.end(), starts_character))};
}

/// What nlohmann's parser says of a text that is no JSON, and which byte it has read then, from 1
/// on. Without the parser's own number and place, and without what it read last, which may be long
/// and no text at all.
inline file_problem not_json(std::string_view source, std::size_t byte, std::string said) {
  for (const std::string_view before : {"] ", ": "})
    if (const std::size_t end = said.find(before); end != std::string::npos)
      said.erase(0, end + before.size());
  if (const std::size_t last = said.find("; last read: "); last != std::string::npos) {
    const std::size_t expected = said.rfind("; expected ");
    said.erase(last, expected == std::string::npos || expected < last ? std::string::npos
                                                                      : expected - last);
  }
  const std::size_t at = (std::min)(byte - std::min<std::size_t>(byte, 1), source.size());
  return {position_in(source, at), {}, "not JSON: " + said};
}

}  // namespace stretto::dynamic::shared
