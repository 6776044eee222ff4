// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the planner has in place of <algorithm>, against that.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>
#include <vector>

namespace {

using stretto::planner::list;

/// Numbers of which some are equal, the same each time.
std::vector<int> some_numbers(std::size_t count) {
  std::vector<int> all;
  unsigned state = static_cast<unsigned>(count) + 1;
  for (std::size_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    all.push_back(static_cast<int>((state >> 16) % 20));
  }
  return all;
}

}  // namespace

TEST_CASE("the larger and the smaller of two, the first of equals") {
  const int a = 1;
  const int b = 2;
  const int c = 2;
  CHECK(&stretto::planner::larger(a, b) == &b);
  CHECK(&stretto::planner::larger(b, a) == &b);
  CHECK(&stretto::planner::larger(b, c) == &b);
  CHECK(&stretto::planner::smaller(a, b) == &a);
  CHECK(&stretto::planner::smaller(b, a) == &a);
  CHECK(&stretto::planner::smaller(b, c) == &b);
}

TEST_CASE("what is replaced is returned") {
  int value = 1;
  CHECK(stretto::planner::replace(value, 2) == 1);
  CHECK(value == 2);
}

TEST_CASE("items are copied to where there is room") {
  std::array<int, 4> room{9, 9, 9, 9};
  stretto::planner::copy_items(std::vector{1, 2, 3}, room.data());
  CHECK(room == std::array{1, 2, 3, 9});
  stretto::planner::copy_items(list<int>(), room.data());
  CHECK(room == std::array{1, 2, 3, 9});
}

TEST_CASE("the first of the least and of the greatest") {
  for (std::size_t count = 1; count < 60; ++count) {
    const std::vector<int> all = some_numbers(count);
    list<int> items;
    for (const int n : all) items.push_back(n);
    CHECK(stretto::planner::place_of_least(items) ==
          static_cast<std::size_t>(std::min_element(all.begin(), all.end()) - all.begin()));
    CHECK(stretto::planner::place_of_greatest(items) ==
          static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin()));
  }
}

TEST_CASE("a heap gives what comes first, again and again") {
  const auto before = [](int a, int b) { return a < b; };
  for (std::size_t count = 0; count < 60; ++count) {
    std::vector<int> all = some_numbers(count);
    list<int> heap;
    for (const int n : all) stretto::planner::push_to_heap(heap, n, before);
    std::sort(all.begin(), all.end());
    for (const int n : all) CHECK(stretto::planner::pop_from_heap(heap, before) == n);
    CHECK(heap.empty());
  }
}
