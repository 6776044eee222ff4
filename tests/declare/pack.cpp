// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Lists of types: found, counted and selected.

#include <doctest/doctest.h>
#include <stretto/declare/pack.hpp>
#include <type_traits>
#include <utility>

namespace {

namespace declare = stretto::declare;
using stretto::pack;

template <std::size_t Number>
struct item {};
template <std::size_t... Number>
auto items(std::index_sequence<Number...>) -> pack<item<Number>...>;
template <std::size_t Count>
using many = decltype(items(std::make_index_sequence<Count>{}));

struct red {};
struct green {};
template <class Color, int Number>
struct part {
  using stretto_tag = Color;
};
struct task_1 {};
struct task_2 {};
using mixed = pack<task_1, part<red, 1>, part<green, 1>, task_2, part<red, 2>>;

// Within a row, at both ends of one, and in a row that is not full.
template <std::size_t Count, std::size_t... Place>
constexpr bool found_in(std::index_sequence<Place...>) {
  return (std::is_same_v<declare::nth<Place, many<Count>>, item<Place>> && ...);
}
static_assert(found_in<1>(std::make_index_sequence<1>{}));
static_assert(found_in<15>(std::make_index_sequence<15>{}));
static_assert(found_in<16>(std::make_index_sequence<16>{}));
static_assert(found_in<17>(std::make_index_sequence<17>{}));
static_assert(found_in<70>(std::make_index_sequence<70>{}));

static_assert(
    std::is_same_v<declare::joined<pack<int, char>, pack<long>>::type, pack<int, char, long>>);

static_assert(declare::one_of<int, char, int>);
static_assert(!declare::one_of<int, char, const int>);
static_assert(!declare::one_of<int>);
static_assert(declare::one_of_pack<char, pack<int, char>>);
static_assert(!declare::one_of_pack<char, pack<>>);

static_assert(declare::is_part<part<red, 1>>);
static_assert(!declare::is_part<task_1>);
static_assert(declare::part_is<part<red, 1>, red>());
static_assert(!declare::part_is<part<red, 1>, green>());
static_assert(declare::part_is<task_1, void>());

static_assert(std::is_same_v<declare::only<red, mixed>, pack<part<red, 1>, part<red, 2>>>);
static_assert(std::is_same_v<declare::only<void, mixed>, pack<task_1, task_2>>);
static_assert(std::is_same_v<declare::only<int, mixed>, pack<>>);
static_assert(std::is_same_v<declare::only<red, pack<>>, pack<>>);

static_assert(std::is_same_v<declare::first<green, mixed>, part<green, 1>>);
static_assert(std::is_same_v<declare::first<red, mixed>, part<red, 1>>);
static_assert(std::is_same_v<declare::first<int, mixed, char>, char>);

}  // namespace

TEST_CASE("the place of a mark among others; their number if it is none of them") {
  const std::array<std::uint64_t, 3> marks{declare::mark<red>, declare::mark<green>,
                                           declare::mark<red>};
  CHECK(declare::place_among(marks, declare::mark<green>) == 1);
  CHECK(declare::place_among(marks, declare::mark<red>) == 0);
  CHECK(declare::place_among(marks, declare::mark<void>) == 3);
}
