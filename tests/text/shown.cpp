// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <random>
#include <stretto/text/shown.hpp>
#include <string>
#include <string_view>
#include "../support/seed.hpp"

namespace text = stretto::text;

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

std::string utf8(char32_t code) {
  std::string all;
  const auto add = [&](char32_t byte) { all += static_cast<char>(byte); };
  if (code < 0x80U) {
    add(code);
  } else if (code < 0x800U) {
    add(0xC0U | code >> 6U);
    add(0x80U | (code & 0x3FU));
  } else if (code < 0x10000U) {
    add(0xE0U | code >> 12U);
    add(0x80U | (code >> 6U & 0x3FU));
    add(0x80U | (code & 0x3FU));
  } else {
    add(0xF0U | code >> 18U);
    add(0x80U | (code >> 12U & 0x3FU));
    add(0x80U | (code >> 6U & 0x3FU));
    add(0x80U | (code & 0x3FU));
  }
  return all;
}

// What every reader of XML and JSON takes.
bool clean(std::string_view shown) {
  while (!shown.empty()) {
    const text::character c = text::first_character(shown);
    if (c.bytes == 0 || text::is_control(c.code) || text::is_no_character(c.code)) return false;
    shown.remove_prefix(c.bytes);
  }
  return true;
}

}  // namespace

TEST_CASE("every code is read back, surrogates excepted") {
  for (char32_t code = 0; code < 0x110000U; ++code) {
    const bool surrogate = code >= 0xD800U && code < 0xE000U;
    const std::string all = utf8(code);
    const text::character c = text::first_character(all + "x");
    if (c.bytes != (surrogate ? 0 : all.size()) || (!surrogate && c.code != code))
      FAIL_CHECK("code " << static_cast<unsigned>(code));
    if (all.size() > 1 &&
        text::first_character(std::string_view(all).substr(0, all.size() - 1)).bytes != 0)
      FAIL_CHECK("cut code " << static_cast<unsigned>(code));
    if (!clean(text::shown(all))) FAIL_CHECK("shown code " << static_cast<unsigned>(code));
  }
}

TEST_CASE("what is longer than it need be, beyond Unicode or out of place is no character") {
  for (const std::string_view bytes :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFE", "\xFF", "\xC3", "\xE2\x82", "\xC3("})
    CHECK(text::first_character(bytes).bytes == 0);
}

TEST_CASE("any bytes are shown as clean text, and clean text as it is") {
  std::mt19937 draw(seeds::first(7));
  for (int i = 0; i < 20000; ++i) {
    std::string bytes;
    for (std::size_t size = draw() % 12; size > 0; --size)
      bytes += static_cast<char>(draw() % 3 == 0 ? draw() % 0x80U : 0x80U + draw() % 0x80U);
    const std::string shown = text::shown(bytes);
    CHECK(clean(shown));
    CHECK(text::shown(shown) == shown);
    if (clean(bytes)) CHECK(shown == bytes);
  }
}

TEST_CASE("controls have pictures; what only does something and what is no text is replaced") {
  CHECK(text::shown(std::string_view("a\0b\n\x1b\x7f", 6)) ==
        "a\xE2\x90\x80"
        "b\xE2\x90\x8A\xE2\x90\x9B\xE2\x90\xA1");
  for (const char32_t code : {0x85U, 0x9BU, 0x2028U, 0x202EU, 0x2066U, 0xFEFFU, 0xFDD0U, 0xFFFEU,
                              0xFFFFU, 0x1FFFEU, 0x10FFFFU})
    CHECK(text::shown(utf8(code)) == replacement);
  CHECK(text::shown("\xFFx") == std::string(replacement) + "x");
}

TEST_CASE("a beginning by bytes cuts no character") {
  CHECK(text::beginning("abc", 5) == "abc");
  CHECK(text::beginning("abcdef", 5) == "abcde");
  CHECK(text::beginning("", 0).empty());
  CHECK(text::beginning("\xC3\xA4", 1).empty());
  CHECK(text::beginning("a\xE6\x97\xA5"
                        "b",
                        3) == "a");
  CHECK(text::beginning("a\xE6\x97\xA5"
                        "b",
                        4) == "a\xE6\x97\xA5");
  CHECK(text::beginning("\xF0\x9F\x98\x80z", 3).empty());
  CHECK(text::beginning("\xF0\x9F\x98\x80z", 4) == "\xF0\x9F\x98\x80");
  CHECK(text::beginning("\x80\x80\x80\x80\x80\x80", 4).size() == 4);  // no characters: any cut does
}

TEST_CASE("width counts what is seen") {
  CHECK(text::columns("abc") == 3);
  CHECK(text::columns("\xC3\xA4\xC3\xB6") == 2);                  // two umlauts
  CHECK(text::columns("a\xCC\x88") == 1);                         // one, of a letter and a mark
  CHECK(text::columns("\xE6\x97\xA5\xE6\x9C\xAC") == 4);          // two East Asian characters
  CHECK(text::columns("\xF0\x9F\x98\x80") == 2);                  // an emoji
  CHECK(text::columns("\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA") == 2);  // a flag, of two letters
  CHECK(text::columns("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB") == 2);  // joined
  CHECK(text::columns("\xFF\xFF") == 2);
}

TEST_CASE("a cut leaves characters, their marks and what is joined together") {
  CHECK(text::within_columns("abcd", 3) == "abc");
  CHECK(text::within_columns("a\xCC\x88"
                             "b",
                             1) == "a\xCC\x88");
  CHECK(text::within_columns("\xE6\x97\xA5\xE6\x9C\xAC", 3) == "\xE6\x97\xA5");
  CHECK(text::within_columns("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", 1).empty());
  CHECK(text::within_columns("x\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB"
                             "y",
                             3)
            .size() == 12);
  CHECK(text::within_columns("\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA\xF0\x9F\x87\xAB", 2).size() == 8);
}
