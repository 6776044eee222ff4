// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/text/utf8.hpp>
#include <string>
#include <string_view>

namespace stretto::text {

/// A number in hexadecimal, as it stands in an escape.
template <class Text>
constexpr void add_hexadecimal(Text& to, char32_t number, unsigned digits) {
  for (unsigned shift = 4 * digits; shift != 0;) {
    shift -= 4;
    to.push_back("0123456789abcdef"[number >> shift & 0xFU]);
  }
}

/// The longest name that a sentence or a table shows whole, in bytes.
inline constexpr std::size_t longest_shown = 200;

/// Adds a text to \p to, anything with push_back, as it can be shown to a person: control
/// characters and what is not UTF-8 become escapes such as `\x1b`.
template <class Text>
[[gnu::cold]] constexpr void add_visible(Text& to, std::string_view shown) {
  while (!shown.empty()) {
    const character c = first_character(shown);
    const std::size_t bytes = c.bytes == 0 ? 1 : c.bytes;
    if (c.bytes != 0 && !is_control(c.code)) {
      for (std::size_t i = 0; i < bytes; ++i) to.push_back(shown[i]);
    } else if (c.code == '\n') {
      to.push_back('\\');
      to.push_back('n');
    } else {
      const bool wide = c.bytes > 1;
      to.push_back('\\');
      to.push_back(wide ? 'u' : 'x');
      text::add_hexadecimal(to, c.code, wide ? 4 : 2);
    }
    shown.remove_prefix(bytes);
  }
}

/// Adds a name likewise; a very long one is cut.
template <class Text>
[[gnu::cold]] constexpr void add_visible_name(Text& to, std::string_view name) {
  if (name.size() <= longest_shown) return add_visible(to, name);
  add_visible(to, beginning(name, longest_shown));
  for (int i = 0; i < 3; ++i) to.push_back('.');
}

/// A text as it can be shown to a person.
constexpr std::string visible(std::string_view any) {
  std::string shown;
  add_visible(shown, any);
  return shown;
}

/// A name as a table shows it.
constexpr std::string visible_name(std::string_view name) {
  std::string shown;
  add_visible_name(shown, name);
  return shown;
}

}  // namespace stretto::text
