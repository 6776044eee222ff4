// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stretto::picture::detail {

/// How many bytes the UTF-8 character at the beginning of a text has; 0: it is none.
constexpr std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto follows = [&](std::size_t i, unsigned least = 0x80U, unsigned most = 0xBFU) {
    return i < text.size() && byte(i) >= least && byte(i) <= most;
  };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return follows(1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    const unsigned least = first == 0xE0U ? 0xA0U : 0x80U;
    const unsigned most = first == 0xEDU ? 0x9FU : 0xBFU;
    return follows(1, least, most) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const unsigned least = first == 0xF0U ? 0x90U : 0x80U;
    const unsigned most = first == 0xF4U ? 0x8FU : 0xBFU;
    return follows(1, least, most) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

/// A name as a picture can show it: what is no UTF-8 as a replacement character, control characters
/// as the pictures that Unicode has of them. \p escape turns each ASCII character into what stands
/// for it.
template <class Escape>
std::string shown(std::string_view name, Escape escape) {
  std::string text;
  while (!name.empty()) {
    const std::size_t length = character_length(name);
    const auto first = static_cast<unsigned char>(name.front());
    if (length == 0) {
      text += "\xEF\xBF\xBD";
    } else if (length > 1) {
      text += name.substr(0, length);
    } else if (first < 0x20U || first == 0x7FU) {
      text += "\xE2\x90";
      text += static_cast<char>(first == 0x7FU ? 0xA1U : 0x80U + first);
    } else {
      escape(text, static_cast<char>(first));
    }
    name.remove_prefix(length == 0 ? 1 : length);
  }
  return text;
}

}  // namespace stretto::picture::detail
