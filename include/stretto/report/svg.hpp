// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/observe/picture_parts.hpp>
#include <stretto/report/markup.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>

namespace stretto::report::detail {

/// A picture as SVG, in the colours of `picture_style`, which are of its elements' classes. Lengths
/// are in the picture's units, text is 12 high.
class svg : public markup<svg> {
 public:
  struct size {
    double width = 0;
    double height = 0;
  };

  /// \p kind: the class of it all.
  svg(std::string_view kind, size s, std::string_view title) {
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" class=")").add(kind);
    add(R"(" role="img" width=")").add_number(s.width, 1);
    add(R"(" height=")").add_number(s.height, 1);
    add(R"(" viewBox="0 0 )").add_number(s.width, 1).add(" ").add_number(s.height, 1).add("\">\n");
    add("<title>").add_text(title).add("</title>\n");
  }

  /// \p title is shown to who points at it; empty: nothing is.
  svg& rect(std::string_view kind, double x, double y, size s, std::string_view title = {}) {
    add("<rect class=\"").add(kind).add("\" x=\"").add_number(x, 1).add("\" y=\"").add_number(y, 1);
    add("\" width=\"").add_number(s.width, 2).add("\" height=\"").add_number(s.height, 1);
    if (title.empty()) return add("\"/>\n");
    return add("\"><title>").add_text(title).add("</title></rect>\n");
  }
  svg& line(std::string_view kind, double x1, double y1, double x2, double y2) {
    add("<line class=\"").add(kind).add("\" x1=\"").add_number(x1, 2);
    add("\" y1=\"").add_number(y1, 1).add("\" x2=\"").add_number(x2, 2);
    return add("\" y2=\"").add_number(y2, 1).add("\"/>\n");
  }
  /// \p kind: `end` and `middle` are where the text has \p x; else that is its begin.
  svg& label(std::string_view kind, double x, double y, std::string_view plain) {
    add("<text class=\"").add(kind).add("\" x=\"").add_number(x, 1);
    add("\" y=\"").add_number(y, 1).add("\">");
    return add_text(plain).add("</text>\n");
  }

  std::string text() const { return written() + "</svg>\n"; }

  /// Between a name and what is next to it.
  static constexpr double gap = 8;
  /// Widens the \p room of names at the side of rows until this one has place in it.
  static void make_room(double& room, std::string_view name) {
    room = (std::max)(room, width_of(name) + 2 * gap);
  }
  /// How wide a text is.
  static double width_of(std::string_view plain) {
    return observe::letter_width * static_cast<double>(text::columns(text::shown(plain)));
  }
};

}  // namespace stretto::report::detail
