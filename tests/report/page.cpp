// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <stretto/report/page.hpp>
#include <string>

using stretto::report::detail::page;

namespace {

std::string body_of(const page& p) {
  const std::string text = p.text();
  const std::size_t begin = text.find("</h1>\n") + 6;
  return text.substr(begin, text.find("</body>") - begin);
}

}  // namespace

TEST_CASE("names of any bytes are text on the page") {
  page p("a <b> & \"c\"");
  CHECK(p.text().find("<h1>a &lt;b&gt; &amp; &quot;c&quot;</h1>") != std::string::npos);
  p.add_text("]]><script>\x01\xFF");
  CHECK(body_of(p) == "]]&gt;&lt;script&gt;\xE2\x90\x81\xEF\xBF\xBD");
}

TEST_CASE("lines stay lines, and what is on them is text") {
  page p("x");
  p.add_lines("a<\n\nb\n");
  CHECK(body_of(p) == "a&lt;\n\nb\n");
}

TEST_CASE("a bar is no longer than its cell") {
  page p("x");
  p.bar(2, "wait").bar(-1, "busy").bar(0.125, "other");
  CHECK(body_of(p) ==
        "<td class=\"bar\"><span class=\"wait\" style=\"width:100.0%\"></span></td>"
        "<td class=\"bar\"><span class=\"busy\" style=\"width:0.0%\"></span></td>"
        "<td class=\"bar\"><span class=\"other\" style=\"width:12.5%\"></span></td>");
}
