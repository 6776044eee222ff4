// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The growing array that the planner computes with, and the sorts of it.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <stretto/plan/model/list.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

using stretto::planner::list;
using stretto::planner::view;

list<int> made_of(view<int> items) { return list<int>(items); }

// In a constant whoever reads memory that has been given back does not compile.
constexpr bool takes_its_own_items_while_it_grows() {
  list<int> all;
  for (int i = 0; i < 8; ++i) all.push_back(10 + i);
  for (int i = 0; i < 100; ++i) all.push_back(all[0]);
  return all.size() == 108 && all.back() == 10;
}
static_assert(takes_its_own_items_while_it_grows());

constexpr bool sorts_nothing_beyond_its_end() {
  for (std::size_t count = 0; count < 12; ++count) {
    const list<std::size_t> places = stretto::planner::places_by_key(list<std::size_t>(count, 1));
    for (std::size_t i = 0; i < count; ++i)
      if (places[i] != i) return false;
  }
  return true;
}
static_assert(sorts_nothing_beyond_its_end());

}  // namespace

TEST_CASE("a list grows, and keeps what is in it") {
  list<std::string> all;
  CHECK(all.empty());
  for (int i = 0; i < 1000; ++i) all.push_back(std::to_string(i));
  REQUIRE(all.size() == 1000);
  for (std::size_t i = 0; i < 1000; ++i) CHECK(all[i] == std::to_string(i));
  all.push_back(all.front());
  CHECK(all.back() == "0");
  all.pop_back();
  CHECK(all.back() == "999");
}

TEST_CASE("a copy is another list, and what was moved from is empty") {
  list<std::string> all;
  all.push_back("a");
  all.push_back("b");
  list<std::string> copy = all;
  copy[0] = "c";
  CHECK(all[0] == "a");
  list<std::string> taken = std::move(copy);
  CHECK(copy.empty());
  CHECK(taken == std::vector<std::string>{"c", "b"});
  all = taken;
  taken[1] = "d";
  CHECK(all == std::vector<std::string>{"c", "b"});
  list<std::string>& itself = all;
  all = itself;
  CHECK(all == std::vector<std::string>{"c", "b"});
}

TEST_CASE("assign replaces all there was, by fewer or by more") {
  list<int> all = made_of(std::array{1, 2, 3});
  all.assign(1, 7);
  CHECK(all == std::vector{7});
  all.assign(20, 8);
  CHECK(all == std::vector<int>(20, 8));
  all.append(std::array{1, 2});
  REQUIRE(all.size() == 22);
  CHECK(all[19] == 8);
  CHECK(all[20] == 1);
  CHECK(all[21] == 2);
}

TEST_CASE("a list becomes a container, and compares with one by size and items") {
  const list<int> all = made_of(std::array{1, 2});
  const std::vector<int> same = all;
  CHECK(same == std::vector{1, 2});
  CHECK(all == same);
  CHECK_FALSE(all == std::vector{1, 2, 3});
  CHECK_FALSE(all == std::vector{1});
  CHECK_FALSE(all == std::vector{2, 2});
}

TEST_CASE("an insertion sort keeps the order of equals") {
  using item = std::pair<int, char>;
  std::vector<item> all{{2, 'a'}, {1, 'b'}, {2, 'c'}, {1, 'd'}, {0, 'e'}};
  stretto::planner::insertion_sort(all,
                                   [](const item& a, const item& b) { return a.first < b.first; });
  CHECK(all == std::vector<item>{{0, 'e'}, {1, 'b'}, {1, 'd'}, {2, 'a'}, {2, 'c'}});
}

TEST_CASE("places by key: sorted, of equals the first first, for any number of them") {
  using stretto::planner::places_by_key;
  CHECK(places_by_key({}).empty());
  CHECK(places_by_key(list<std::size_t>(1, 9)) == std::vector<std::size_t>{0});
  list<std::size_t> keys;
  for (const unsigned key : {3U, 1U, 2U, 1U, 3U, 0U, 2U}) keys.push_back(key);
  CHECK(places_by_key(keys) == std::vector<std::size_t>{5, 1, 3, 2, 6, 0, 4});
}

TEST_CASE("a list that is to be overwritten has the size asked for, and the items written") {
  list<int> items(3, 1);
  for (const std::size_t size : {std::size_t{5}, std::size_t{2}, std::size_t{0}}) {
    int* const to = items.overwrite(size);
    for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<int>(10 + i);
    REQUIRE(items.size() == size);
    for (std::size_t i = 0; i < size; ++i) CHECK(items[i] == static_cast<int>(10 + i));
  }
}
