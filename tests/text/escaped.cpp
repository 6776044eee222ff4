// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <stretto/text/escaped.hpp>
#include <string_view>

using stretto::text::escaped_for_json;
using stretto::text::escaped_for_label;
using stretto::text::escaped_for_xml;

TEST_CASE("what means something in XML is written as an entity") {
  CHECK(escaped_for_xml("a <b> & \"c\" 'd'") == "a &lt;b&gt; &amp; &quot;c&quot; 'd'");
  CHECK(escaped_for_xml("\x01\xFF") == "\xE2\x90\x81\xEF\xBF\xBD");
  CHECK(escaped_for_xml("").empty());
}

TEST_CASE("quotes and backslashes end no string of JSON, nor a label") {
  CHECK(escaped_for_json("a \"b\" \\ <c>") == "a \\\"b\\\" \\\\ <c>");
  CHECK(escaped_for_json("").empty());
  CHECK(escaped_for_label("a \"b\" \\ <c>") == "a \\\"b\\\" \\\\ <c>");
  CHECK(escaped_for_label("a\nb") ==
        "a\xE2\x90\x8A"
        "b");
}

TEST_CASE("what does more than to be seen is an escape of JSON, which is read as what it was") {
  CHECK(escaped_for_json("a\nb\x7f") == "a\\u000ab\\u007f");
  CHECK(escaped_for_json(std::string_view("\0", 1)) == "\\u0000");
  CHECK(escaped_for_json("\xE2\x80\xAE\xE2\x80\xA8\xEF\xBF\xBE") == "\\u202e\\u2028\\ufffe");
  CHECK(escaped_for_json("\xF0\x9F\xBF\xBE") == "\\ud83f\\udffe");  // U+1FFFE
  CHECK(escaped_for_json("\xC3\xA4\xF0\x9F\x98\x80\xFF") == "\xC3\xA4\xF0\x9F\x98\x80\\ufffd");
}
