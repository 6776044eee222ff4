// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a body does with a parameter that is `in`, `out`, `inout` or `takes`: no more than with a
// reference.

#include <doctest/doctest.h>
#include <memory>
#include <stretto/declare/access.hpp>
#include <stretto/declare/slot.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace st = stretto;

namespace {

struct number : st::slot<int> {};
struct text : st::slot<std::string> {};
struct box : st::slot<std::unique_ptr<int>> {};
struct list : st::slot<std::vector<int>> {};

template <class Access>
constexpr bool light = std::is_trivially_copyable_v<Access> && sizeof(Access) == sizeof(void*) &&
                       !std::is_copy_assignable_v<Access>;
static_assert(light<st::in<box>> && light<st::out<box>> && light<st::inout<box>> &&
              light<st::takes<box>>);

// A value turns into none of them by itself, so that no list is taken for parameters.
static_assert(!std::is_convertible_v<const int&, st::in<number>>);
static_assert(!std::is_convertible_v<int&, st::out<number>>);
static_assert(!std::is_convertible_v<int, st::takes<number>>);
static_assert(!std::is_constructible_v<st::takes<number>, const int&>);
static_assert(!std::is_constructible_v<st::in<number>, int>, "of a value that soon is gone");
static_assert(!std::is_constructible_v<st::out<number>, const int&>);

static_assert(std::is_same_v<st::in<st::at_offset<number, 2>>::slot, number>);
static_assert(std::is_same_v<decltype(*std::declval<st::in<number>>()), const int&>);
static_assert(std::is_same_v<decltype(*std::declval<st::inout<number>>()), int&>);
static_assert(std::is_same_v<st::takes<st::at_offset<number, 2>>::slot, number>);
static_assert(std::is_same_v<decltype(*std::declval<st::takes<number>>()), int&&>);
static_assert(std::is_convertible_v<st::takes<box>, std::unique_ptr<int>>);
static_assert(!std::is_convertible_v<st::takes<number>, int&>);
static_assert(!std::is_assignable_v<st::takes<number>, int>);
static_assert(std::is_convertible_v<st::in<number>, const int&>);
static_assert(!std::is_convertible_v<st::in<number>, int&>);
static_assert(std::is_convertible_v<st::out<number>, int&>);
static_assert(std::is_assignable_v<st::out<text>, const char*>);
static_assert(!std::is_assignable_v<st::out<number>, std::string>);
static_assert(!std::is_assignable_v<st::out<text>, std::vector<int>>);
static_assert(!std::is_assignable_v<st::in<number>, int>);

TEST_CASE("what is read") {
  const std::string value = "abc";
  const st::in<text> x(value);
  CHECK(&*x == &value);
  CHECK(&x.get() == &value);
  CHECK(x->size() == 3);
  const std::string& as_reference = x;
  CHECK(&as_reference == &value);
  const int three = 3;
  CHECK(st::in<number>(three) + 1 == 4);
}

template <template <class> class Access>
void write() {
  std::string value = "abc";
  const Access<text> y(value);
  y = "other";
  CHECK(value == "other");
  y->push_back('!');
  CHECK(value == "other!");
  *y += "?";
  CHECK(y.get() == "other!?");
  const std::string more = "more";
  y = st::in<text>(more);
  CHECK(value == "more");
  std::string& as_reference = y;
  CHECK(&as_reference == &value);

  int count = 0;
  const Access<number> n(count);
  n = 7;
  CHECK(count == 7);
  n = st::in<number>(count) + 1;
  CHECK(*n == 8);

  std::vector<int> all;
  const Access<list> z(all);
  z = {1, 2, 3};
  CHECK(all == std::vector{1, 2, 3});
  z = {};
  CHECK(all.empty());

  std::unique_ptr<int> owned;
  Access<box> w(owned);
  w = std::make_unique<int>(5);
  CHECK(**w == 5);
  static_assert(!std::is_assignable_v<Access<box>&, const std::unique_ptr<int>&>);
}
TEST_CASE("what is taken") {
  auto value = std::make_unique<int>(4);
  const st::takes<box> x(value);
  CHECK(*x.get() == 4);
  CHECK(*x->get() == 4);
  CHECK(value);  // nobody has moved from it yet
  const std::unique_ptr<int> mine = x;
  CHECK(*mine == 4);
  CHECK_FALSE(value);

  auto other = std::make_unique<int>(6);
  const st::out<box> written(other);
  x.swap(written);  // as what std::swap(*written, *x) is meant to do
  CHECK(*value == 6);
  CHECK_FALSE(other);

  std::vector<int> numbers{1, 2, 3};
  const std::vector<int> kept = *st::takes<list>(numbers);
  CHECK(kept.size() == 3);
  CHECK(numbers.empty());
  const auto size = [](st::takes<list> all) { return std::vector<int>(all).size(); };
  CHECK(size(st::takes<list>(std::vector<int>{1, 2})) == 2);
}

TEST_CASE("what is written") {
  write<st::out>();
  write<st::inout>();
}

}  // namespace
