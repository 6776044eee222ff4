// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which constants count something.

#include <doctest/doctest.h>
#include <cstdint>
#include <limits>
#include <stretto/declare/count.hpp>
#include <type_traits>

namespace {

namespace declare = stretto::declare;

enum plain { none, four = 4 };
enum large : std::uint64_t { too_large = std::uint64_t{1} << 40U };
enum class scoped { four = 4 };
struct structure {};
constexpr int object = 4;

}  // namespace

TEST_CASE("numbers count, of whichever type, if an int holds them") {
  static_assert(declare::is_count<4> && declare::is_count<-4> && declare::is_count<4U>);
  static_assert(declare::is_count<4L> && declare::is_count<std::size_t{4}>);
  static_assert(declare::is_count<std::uint8_t{4}> && declare::is_count<std::int8_t{-4}>);
  static_assert(declare::is_count<(std::numeric_limits<int>::max)()>);
  static_assert(!declare::is_count<2'147'483'648L> && !declare::is_count<-2'147'483'649L>);
  static_assert(!declare::is_count<4'294'967'295U>);
  static_assert(declare::is_whole<4'294'967'295U>);
}

TEST_CASE("truth values, letters and what is no number count nothing") {
  static_assert(!declare::is_whole<true> && !declare::is_count<false>);
  static_assert(!declare::is_count<'4'> && !declare::is_count<L'4'> && !declare::is_count<u8'4'>);
  static_assert(!declare::is_count<u'4'> && !declare::is_count<U'4'>);
  static_assert(!declare::is_count<&object> && !declare::is_count<structure{}>);
}

TEST_CASE("an enumerator counts if it turns into a number") {
  static_assert(declare::is_count<four> && declare::count<four> == 4);
  static_assert(!declare::is_count<too_large> && !declare::is_count<scoped::four>);
}

TEST_CASE("what is none is another number, or is passed on as it is") {
  static_assert(declare::count<4U> == 4 && declare::count<true> == 0);
  static_assert(declare::count<'4', -1> == -1 && declare::count<none, -1> == 0);
  static_assert(std::is_same_v<decltype(declare::as_given<4UL>), const int>);
  static_assert(std::is_same_v<decltype(declare::as_given<true>), const bool>);
  static_assert(std::is_same_v<decltype(declare::as_given<5'000'000'000L>), const long>);
}
