// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <array>
#include <stretto/run/text_builder.hpp>
#include <string>
#include <string_view>

using stretto::runner::text_builder;

TEST_CASE("texts, numbers and names, one behind the other") {
  text_builder text;
  text.add("a").add(0).add(" ").add(-120).add(" ").add(10).add(9876543210L);
  CHECK(std::string(text.text()) == "a0 -120 109876543210");
  CHECK(std::string(text.add("!").text()) == "a0 -120 109876543210!");  // it may go on
}

TEST_CASE("names are quoted, made visible, and have commas between them") {
  const std::array<std::string_view, 3> names{"load", "a\nb", ""};
  CHECK(std::string(text_builder().names(names).text()) == "`load`, `a\\nb`, ``");
  CHECK(std::string(text_builder().names({}).text()).empty());
}
