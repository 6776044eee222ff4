// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

/// Names come from schedules and files and may hold any bytes. What is needed to show them.
namespace stretto::text {

/// The character at the beginning of a text, and how many bytes it takes: none if it is not UTF-8.
struct character {
  char32_t code = 0;
  std::size_t bytes = 0;
};

constexpr character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return char32_t{static_cast<unsigned char>(text[i])}; };
  const char32_t first = byte(0);
  if (first < 0x80U) return {first, 1};
  const std::size_t bytes = first < 0xC2U ? 0 : first < 0xE0U ? 2 : first < 0xF0U ? 3 : 4;
  if (bytes == 0 || first > 0xF4U || bytes > text.size()) return {first, 0};
  char32_t code = first & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {first, 0};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> least{0, 0, 0x80U, 0x800U, 0x10000U};
  const bool surrogate = code >= 0xD800U && code <= 0xDFFFU;
  return {code, code < least[bytes] || code > 0x10FFFFU || surrogate ? 0 : bytes};
}

/// Whether a character is nothing to be seen but does something: moves, ends a line, turns the
/// direction of writing.
constexpr bool is_control(char32_t code) {
  return code < 0x20U || (code >= 0x7FU && code < 0xA0U) || code == 0x61CU ||
         (code >= 0x200EU && code <= 0x200FU) || (code >= 0x2028U && code <= 0x202EU) ||
         (code >= 0x2066U && code <= 0x2069U) || code == 0xFEFFU;
}

/// Whether Unicode keeps a code out of all text for good: XML refuses some of these.
constexpr bool is_no_character(char32_t code) {
  return (code >= 0xFDD0U && code <= 0xFDEFU) || (code & 0xFFFEU) == 0xFFFEU;
}

/// The longest beginning of a text that takes at most \p most bytes and cuts no character.
constexpr std::string_view beginning(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t cut = most;
  while (cut > 0 && most - cut < 3 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U)
    --cut;
  const std::size_t whole =
      first_character(std::string_view(text.data() + cut, text.size() - cut)).bytes;
  return {text.data(), cut + whole > most ? cut : most};
}

}  // namespace stretto::text
