// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <stretto/text/escaped.hpp>

using stretto::text::escaped_for_json;
using stretto::text::escaped_for_xml;

TEST_CASE("what means something in XML is written as an entity") {
  CHECK(escaped_for_xml("a <b> & \"c\" 'd'") == "a &lt;b&gt; &amp; &quot;c&quot; 'd'");
  CHECK(escaped_for_xml("\x01\xFF") == "\xE2\x90\x81\xEF\xBF\xBD");
  CHECK(escaped_for_xml("").empty());
}

TEST_CASE("quotes and backslashes end no string of JSON") {
  CHECK(escaped_for_json("a \"b\" \\ <c>") == "a \\\"b\\\" \\\\ <c>");
  CHECK(escaped_for_json("a\nb") ==
        "a\xE2\x90\x8A"
        "b");
  CHECK(escaped_for_json("").empty());
}
