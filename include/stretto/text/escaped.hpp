// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/text/shown.hpp>
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

/// A name as a string of JSON, without its quotes; labels of Prometheus are written likewise.
inline std::string escaped_for_json(std::string_view name) {
  return shown(name, [](std::string& to, char c) {
    if (c == '"' || c == '\\') to += '\\';
    to += c;
  });
}

}  // namespace stretto::text
