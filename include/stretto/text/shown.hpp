// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/text/utf8.hpp>
#include <string>
#include <string_view>

namespace stretto::text {

/// Adds a name to \p to, anything with push_back, as a picture or a trace can show it, in UTF-8
/// that every reader takes: ASCII's control characters as the pictures that Unicode has of them;
/// other characters that only do something, codes that are no characters and bytes that are no
/// UTF-8 as a replacement character. \p escape adds what stands for an ASCII character.
template <class Text, class Escape>
[[gnu::cold]] void add_shown(Text& to, std::string_view name, Escape escape) {
  while (!name.empty()) {
    const character c = first_character(name);
    std::string_view bytes(name.data(), c.bytes);
    char control[] = "\xE2\x90\x80";
    if (c.bytes == 1 && is_control(c.code)) {
      control[2] = static_cast<char>(c.code == 0x7FU ? 0xA1U : 0x80U + c.code);
      bytes = control;
    } else if (c.bytes == 0 || is_control(c.code) || is_no_character(c.code)) {
      bytes = "\xEF\xBF\xBD";
    } else if (c.bytes == 1) {
      escape(to, static_cast<char>(c.code));
      bytes = {};
    }
    for (const char byte : bytes) to.push_back(byte);
    name.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
}

/// A name likewise.
template <class Escape>
std::string shown(std::string_view name, Escape escape) {
  std::string text;
  add_shown(text, name, escape);
  return text;
}

inline std::string shown(std::string_view name) {
  return shown(name, [](std::string& to, char c) { to += c; });
}

namespace detail {

struct codes {
  char32_t first;
  char32_t last;
};

template <std::size_t Count>
constexpr bool within(const std::array<codes, Count>& all, char32_t code) {
  for (const codes& c : all)
    if (code >= c.first && code <= c.last) return true;
  return false;
}

// Marks that stand on, in or around the character before them, by the blocks that hold nothing
// else.
inline constexpr std::array<codes, 22> marks{
    {{0x300, 0x36F},     {0x483, 0x489},    {0x591, 0x5BD},   {0x610, 0x61A},   {0x64B, 0x65F},
     {0x6D6, 0x6DC},     {0x900, 0x903},    {0x93A, 0x93C},   {0x93E, 0x94F},   {0xE31, 0xE31},
     {0xE34, 0xE3A},     {0xE47, 0xE4E},    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D},
     {0x20D0, 0x20FF},   {0x3099, 0x309A},  {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF},
     {0xE0020, 0xE007F}, {0xE0100, 0xE01EF}}};

// Characters of twice the width: East Asian ones and emoji.
inline constexpr std::array<codes, 15> wide{{{0x1100, 0x115F},
                                             {0x2E80, 0x303E},
                                             {0x3041, 0x33FF},
                                             {0x3400, 0x4DBF},
                                             {0x4E00, 0x9FFF},
                                             {0xA000, 0xA4CF},
                                             {0xA960, 0xA97F},
                                             {0xAC00, 0xD7A3},
                                             {0xF900, 0xFAFF},
                                             {0xFE30, 0xFE6F},
                                             {0xFF01, 0xFF60},
                                             {0x1F1E6, 0x1F1FF},
                                             {0x1F300, 0x1F64F},
                                             {0x1F680, 0x1FAFF},
                                             {0x20000, 0x3FFFD}}};

/// A character with the marks on it, and characters joined to it.
struct cluster {
  std::size_t bytes = 0;
  std::size_t columns = 0;
};

constexpr cluster first_cluster(std::string_view text) {
  constexpr char32_t joiner = 0x200DU;
  const auto at = [&](std::size_t i) {
    return first_character(std::string_view(text.data() + i, text.size() - i));
  };
  const auto step = [](const character& c) { return c.bytes == 0 ? std::size_t{1} : c.bytes; };
  const auto is_flag = [](char32_t code) { return code >= 0x1F1E6U && code <= 0x1F1FFU; };
  character c = at(0);
  cluster found{step(c), c.bytes != 0 && within(wide, c.code) ? std::size_t{2} : std::size_t{1}};
  if (is_flag(c.code) && found.bytes < text.size() && is_flag(at(found.bytes).code))
    found.bytes += step(at(found.bytes));
  while (found.bytes < text.size()) {
    const character next = at(found.bytes);
    const bool joined = c.bytes != 0 && c.code == joiner;
    if (next.bytes == 0 || (!joined && !within(marks, next.code))) break;
    found.bytes += next.bytes;
    c = next;
  }
  return found;
}

}  // namespace detail

/// How wide a text is, an ASCII letter being 1: as terminals reckon.
constexpr std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  while (!text.empty()) {
    const detail::cluster c = detail::first_cluster(text);
    sum += c.columns;
    text.remove_prefix(c.bytes);
  }
  return sum;
}

/// The longest beginning of a text that is at most \p most wide and parts no character from its
/// marks.
constexpr std::string_view within_columns(std::string_view text, std::size_t most) {
  std::size_t bytes = 0;
  std::size_t wide = 0;
  while (bytes < text.size()) {
    const detail::cluster c =
        detail::first_cluster(std::string_view(text.data() + bytes, text.size() - bytes));
    wide += c.columns;
    if (wide > most) break;
    bytes += c.bytes;
  }
  return {text.data(), bytes};
}

}  // namespace stretto::text
