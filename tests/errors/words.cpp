// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/stream.hpp>
#include <stretto/errors/words.hpp>
#include <string>
#include <string_view>

namespace st = stretto;

namespace {

std::string shown(std::string_view type) { return st::errors::readable(type); }

// In a constant, which Clang cannot make of a std::string of libstdc++ 12.
constexpr std::size_t length = [] {
  st::errors::words said = "task `" + st::errors::words(std::string_view("load"));
  said += "` has lookahead " + st::errors::number(-12) + "; " + "the least is 0";
  return said.size();
}();

TEST_CASE("words are put together in a constant") {
  CHECK(length == std::string("task `load` has lookahead -12; the least is 0").size());
}

TEST_CASE("a type shows the names in it as they were written") {
  CHECK(shown("streams<stretto::fixed_string<2>{\"a\"}, stretto::fixed_string<2>{\"b\"}>") ==
        "streams<\"a\", \"b\">");
  CHECK(shown("place<load, stretto::stream<fixed_string<5>{\"copy\"}>>") ==
        "place<load, stretto::stream<\"copy\">>");
  CHECK(shown("stream<fixed_string<4>{\"}>{\"}>") == "stream<\"}>{\">");
  CHECK(shown(R"(stream<fixed_string<4>{"a\"b"}>)") == R"(stream<"a\"b">)");
}

TEST_CASE("a type without such names is shown as it is") {
  CHECK(shown("") == "");
  CHECK(shown("std::vector<int>") == "std::vector<int>");
  CHECK(shown("mine<text{\"a\"}>") == "mine<text{\"a\"}>");
  CHECK(shown("stream<fixed_string<9>{\"cut o[...]") == "stream<fixed_string<9>{\"cut o[...]");
  CHECK(shown("stream<fixed_string<2>{{'a'}}>") == "stream<fixed_string<2>{{'a'}}>");
}

TEST_CASE("no compiler's spelling of a name is left") {
  CHECK(shown(st::declare::qualified_name<st::stream<"copy">>()) == "stretto::stream<\"copy\">");
}

}  // namespace
