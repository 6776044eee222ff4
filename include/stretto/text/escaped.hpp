// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/text/shown.hpp>
#include <stretto/text/utf8.hpp>
#include <stretto/text/visible.hpp>
#include <string>
#include <string_view>

namespace stretto::text {

/// A name as text of XML and HTML, between tags and in attributes.
inline std::string escaped_for_xml(std::string_view name) {
  return shown(name, [](std::string& to, char c) {
    switch (c) {
      case '<': to += "&lt;"; break;
      case '>': to += "&gt;"; break;
      case '&': to += "&amp;"; break;
      case '"': to += "&quot;"; break;
      default: to += c;
    }
  });
}

/// A name as a string of JSON, without its quotes. Characters that do more than show are escaped. A
/// reader gets the name back, except for bytes that are not UTF-8, which JSON cannot hold.
inline std::string escaped_for_json(std::string_view name) {
  std::string all;
  const auto escape = [&](char32_t unit) {
    all += "\\u";
    add_hexadecimal(all, unit, 4);
  };
  while (!name.empty()) {
    const character c = first_character(name);
    if (c.bytes == 0) {
      escape(0xFFFDU);
    } else if (c.code == U'"' || c.code == U'\\') {
      all += {'\\', name.front()};
    } else if (!is_control(c.code) && !is_no_character(c.code)) {
      all += name.substr(0, c.bytes);
    } else if (c.code > 0xFFFFU) {
      escape(0xD800U + ((c.code - 0x10000U) >> 10U));
      escape(0xDC00U + (c.code & 0x3FFU));
    } else {
      escape(c.code);
    }
    name.remove_prefix(c.bytes == 0 ? 1 : c.bytes);
  }
  return all;
}

/// A name as a label of Prometheus, without its quotes.
inline std::string escaped_for_label(std::string_view name) {
  return shown(name, [](std::string& to, char c) {
    if (c == '"' || c == '\\') to += '\\';
    to += c;
  });
}

}  // namespace stretto::text
