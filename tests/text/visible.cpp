// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Names of any bytes as sentences show them.

#include <doctest/doctest.h>
#include <stretto/text/visible.hpp>
#include <string>

namespace text = stretto::text;

TEST_CASE("what can be seen stays, what only does something becomes an escape") {
  CHECK(text::visible("plain \xC3\xA4") == "plain \xC3\xA4");
  CHECK(text::visible("a\nb\tc") == "a\\nb\\x09c");
  CHECK(text::visible(std::string("\0\x1b\x7f", 3)) == "\\x00\\x1b\\x7f");
  CHECK(text::visible("\xE2\x80\xAE") == "\\u202e");  // turns the direction of writing
  CHECK(text::visible("\xC2\x9B") == "\\u009b");
  CHECK(text::visible("").empty());
}

TEST_CASE("bytes that are no character are shown one by one") {
  CHECK(text::visible("\xFFx") == "\\xffx");
  CHECK(text::visible("\xE2\x82") == "\\xe2\\x82");
}

TEST_CASE("a very long name is cut, between characters") {
  const std::string longest(200, 'a');
  CHECK(text::visible_name(longest) == longest);
  CHECK(text::visible_name(longest + "b") == longest + "...");
  const std::string before(199, 'a');
  CHECK(text::visible_name(before + "\xC3\xA4") == before + "...");
}
