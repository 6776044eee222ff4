// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What types are called, and how they are told apart.

#include <doctest/doctest.h>
#include <stretto/declare/name.hpp>
#include <stretto/declare/stream.hpp>
#include <string_view>
#include <type_traits>

namespace somewhere {

struct load {};
template <class... Part>
struct made_of {};
struct outer {
  struct inner {};
};
struct renamed {
  static constexpr std::string_view name = "another";
};
struct has_a_member {
  std::string_view name;
};
struct refers {
  const std::string_view& name;
};
struct refers_to_a_constant {
  static constexpr const std::string_view& name = renamed::name;
};

}  // namespace somewhere
namespace elsewhere {

struct load {};

}  // namespace elsewhere

namespace {

using stretto::name;
using stretto::name_of;

}  // namespace

TEST_CASE("a type is called what it is, without its qualifiers") {
  CHECK(name_of<somewhere::load>.text == "load");
  CHECK(name_of<somewhere::outer::inner>.text == "inner");
  CHECK(name_of<int>.text == "int");
  CHECK(stretto::declare::unqualified("a::b<c::d>") == "b<c::d>");
  CHECK(stretto::declare::unqualified("a::b<c::d>::e") == "e");
  CHECK(stretto::declare::unqualified("a<b>::c<d::e<f::g>, h::i>") == "c<d::e<f::g>, h::i>");
  CHECK(stretto::declare::unqualified("plain") == "plain");
}

TEST_CASE("a type may give itself a name; a data member of that name is its own affair") {
  CHECK(name_of<somewhere::renamed>.text == "another");
  CHECK(name_of<somewhere::renamed>.key == "somewhere::renamed");
  CHECK(name_of<somewhere::has_a_member>.text == "has_a_member");
  CHECK(name_of<somewhere::refers>.text == "refers");
  CHECK(name_of<somewhere::refers_to_a_constant>.text == "another");
}

TEST_CASE("types are told apart by what they are, texts by their keys") {
  CHECK(name_of<somewhere::load> == name_of<somewhere::load>);
  CHECK_FALSE(name_of<somewhere::load> == name_of<elsewhere::load>);
  const char one = 0, two = 0;
  CHECK_FALSE(name("shown", "spelled", &one) == name("shown", "spelled", &two));
  CHECK(name("shown", "spelled", &one) == name("otherwise", "spelled", &one));
  CHECK(name("shown", "key") == name("otherwise", "key"));
  CHECK_FALSE(name("shown", "key") == name("shown", "other"));
  CHECK(name("spelled") == name("shown", "spelled", &one));  // a text may mean a type
}

TEST_CASE("texts of one hash are two if they differ") {
  name a("ab"), b("ac"), c("abc");
  b.hash = c.hash = a.hash;
  CHECK_FALSE(a == b);
  CHECK_FALSE(a == c);
  CHECK(name("").hash == 14695981039346656037U);  // FNV-1a, by its tables
  CHECK(name("a").hash == 0xaf63dc4c8601ec8cU);
  CHECK(name("foobar").hash == 0x85944171f73967e8U);
}

TEST_CASE("a string as a template argument is without its 0") {
  constexpr stretto::fixed_string text = "memcpy";
  static_assert(text.view() == "memcpy");
  static_assert(stretto::fixed_string("").view().empty());
}

TEST_CASE("strings that are template arguments are compared, joined and made of numbers") {
  using stretto::fixed_number;
  using stretto::fixed_string;
  static_assert(fixed_string("a") == fixed_string("a") && fixed_string("a") != fixed_string("ab"));
  static_assert(fixed_string("ab") < fixed_string("b") && fixed_string("ab") > fixed_string("a"));
  static_assert("stage " + fixed_number<3> == fixed_string("stage 3"));
  static_assert((fixed_string("a") + "b" + fixed_string("")).view() == "ab");
  static_assert(fixed_number<0>.view() == "0" && fixed_number<10>.view() == "10");
  static_assert(fixed_number<-907>.view() == "-907");
  static_assert(fixed_number<9223372036854775807>.view() == "9223372036854775807");
  static_assert(fixed_number<-9223372036854775807 - 1>.view() == "-9223372036854775808");
  static_assert(
      std::is_same_v<stretto::stream<"copy 1">, stretto::stream<"copy " + fixed_number<1>>>);
}
