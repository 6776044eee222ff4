// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that are put together from pieces, at run time and in constants.

#include <doctest/doctest.h>
#include <limits>
#include <stretto/plan/model/text_builder.hpp>

using stretto::planner::text_builder;

namespace {

static_assert(text_builder().add("a").number(-12).quoted("b\n").view() == "a-12`b\\n`");

TEST_CASE("numbers") {
  text_builder text;
  text.number(0).add(" ").number((std::numeric_limits<long long>::max)()).add(" ");
  text.number((std::numeric_limits<long long>::min)());
  CHECK(text.text() == "0 9223372036854775807 -9223372036854775808");
}

TEST_CASE("what is counted is one or many") {
  CHECK(text_builder().count(1, " wait", " waits").text() == "1 wait");
  CHECK(text_builder().count(0, " wait", " waits").text() == "0 waits");
}

TEST_CASE("a name in place of `$`, wherever it stands, and as it can be shown") {
  CHECK(text_builder().fill("$ and $", "a$\x1b").text() == "`a$\\x1b` and `a$\\x1b`");
}

TEST_CASE("columns end where their width does, or where the text does") {
  text_builder text;
  text.add("> ");
  const std::size_t start = text.size();
  text.add("abc").pad(start, 5).add("|").pad(start, 2);
  CHECK(text.view() == "> abc  |");
}

}  // namespace
