// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/report/markup.hpp>
#include <stretto/report/picture_style.hpp>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>

namespace stretto::report::detail {

/// A page of HTML that is XML, too, so that strict readers take it apart; without scripts, and with
/// nothing that it would have to fetch.
class page : public markup<page> {
 public:
  explicit page(std::string_view title) {
    add("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\"/>\n<title>");
    add_text(title).add("</title>\n<style>\n").add(colours).add(style).add(picture_style);
    add("</style>\n</head>\n<body>\n<h1>").add_text(title).add("</h1>\n");
  }

  /// Several lines, as they stand.
  page& add_lines(std::string_view plain) {
    while (!plain.empty()) {
      const std::size_t end = plain.find('\n');
      add_text(plain.substr(0, end));
      if (end == std::string_view::npos) break;
      add("\n");
      plain.remove_prefix(end + 1);
    }
    return *this;
  }
  /// A string of JSON, whatever it holds, that ends no element.
  page& add_json(std::string_view plain) {
    std::string escaped;
    text::add_shown(escaped, plain, [](std::string& to, char c) {
      if (c == '"' || c == '\\') to += '\\';
      if (c == '<' || c == '&' || c == '>') {
        to += c == '<' ? "\\u003c" : c == '&' ? "\\u0026" : "\\u003e";
      } else {
        to += c;
      }
    });
    return add("\"").add(escaped).add("\"");
  }
  /// A part with a heading and a name to point at.
  page& begin(std::string_view id, std::string_view heading) {
    return add("<section id=\"").add(id).add("\">\n<h2>").add_text(heading).add("</h2>\n");
  }
  page& end() { return add("</section>\n"); }
  /// A cell of a table.
  page& cell(std::string_view plain) { return add("<td>").add_text(plain).add("</td>"); }
  page& cell(double value, int decimals) {
    return add("<td class=\"n\">").add_number(value, decimals).add("</td>");
  }
  /// A cell with a bar of that part of a whole.
  page& bar(double part, std::string_view kind) {
    const double within = part < 0 ? 0 : part > 1 ? 1 : part;
    return add(R"(<td class="bar"><span class=")")
        .add(kind)
        .add("\" style=\"width:")
        .add_number(100 * within, 1)
        .add("%\"></span></td>");
  }

  /// A picture that may be wider than the page: who has no mouse gets to it, and moves it, by keys.
  /// \p label says what it is to who does not see it.
  /// \p width: of the page, in per cent; 0: what the picture has.
  page& figure(std::string_view label, const std::string& picture, double width = 0,
               std::string_view kind = {}) {
    add("<figure");
    if (!kind.empty()) add(" class=\"").add(kind).add("\"");
    if (width > 0) add(" style=\"width:").add_number(width, 2).add("%\"");
    return add(R"( tabindex="0" role="group" aria-label=")")
        .add_text(label)
        .add("\">\n")
        .add(picture)
        .add("</figure>\n");
  }
  /// One whose time can be stretched: \p draw(zoom) makes it. A page has one such part.
  template <class Draw>
  page& stretchable(std::string_view label, Draw draw) {
    constexpr std::array<int, 3> zooms{1, 4, 16};
    add("<p class=\"zoom\">Time");
    for (const int zoom : zooms)
      add(R"( <input type="radio" name="zoom" id="zoom-)")
          .add_number(zoom, 0)
          .add(zoom == 1 ? R"(" checked="checked"/><label for="zoom-)" : R"("/><label for="zoom-)")
          .add_number(zoom, 0)
          .add("\">")
          .add_number(zoom, 0)
          .add("\xC3\x97</label>");
    add("</p>\n");
    for (const int zoom : zooms) figure(label, draw(zoom), 0, "zoom-" + std::to_string(zoom));
    return *this;
  }

  std::string text() const { return written() + "</body>\n</html>\n"; }

 private:
  static constexpr std::string_view style =
      "body{font:15px/1.45 system-ui,Helvetica,Arial,sans-serif;color:var(--ink);"
      "background:var(--paper);max-width:72rem;margin:2rem auto;padding:0 1rem}\n"
      "h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}\n"
      "table{border-collapse:collapse}td,th{padding:.15rem .6rem;text-align:left;"
      "border-bottom:1px solid var(--line)}td.n,th.n{text-align:right;"
      "font-variant-numeric:tabular-nums}td.bar{width:12rem}\n"
      "td.bar span,.stack span{display:inline-block;height:.8rem;vertical-align:middle}\n"
      ".stack{display:flex;width:100%;min-width:24rem;border:1px solid var(--line)}"
      ".busy{background:var(--busy)}.source{background:var(--source)}"
      ".wait{background:var(--wait)}\n"
      "figure{margin:0;overflow-x:auto}svg{max-width:100%;height:auto}"
      "pre{overflow-x:auto;padding:.6rem;border:1px solid var(--line)}"
      ".curves{display:flex;flex-wrap:wrap;gap:1rem}.curves figure{width:22rem}\n"
      "figure:focus-visible{outline:2px solid var(--busy)}"
      ".zoom-4,.zoom-16{display:none}.zoom-4 svg:not(.picture){width:400%;max-width:none}"
      ".zoom-16 svg:not(.picture){width:1600%;max-width:none}"
      "section:has(#zoom-4:checked) figure,section:has(#zoom-16:checked) figure{display:none}"
      "section:has(#zoom-4:checked) figure.zoom-4,"
      "section:has(#zoom-16:checked) figure.zoom-16{display:block}\n";
};

}  // namespace stretto::report::detail
