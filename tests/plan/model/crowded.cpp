// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A search tree for names that no hash table has room for: everything is found, in few steps.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/plan/model/crowded.hpp>
#include <vector>

namespace {

using stretto::planner::crowded;
using stretto::planner::none;

// Numbers whose place among the others is their value in `keys`.
struct subject {
  std::vector<int> keys;
  crowded tree{};
  mutable std::size_t steps = 0;

  auto compared(int key) const {
    return [this, key](std::size_t number) {
      ++steps;
      return key < keys[number] ? -1 : key > keys[number] ? 1 : 0;
    };
  }
  void add_all() {
    for (std::size_t n = 0; n < keys.size(); ++n) tree.add(n, compared(keys[n]));
  }
  std::size_t find(int key) const {
    steps = 0;
    return tree.find(compared(key));
  }
};

std::vector<int> counted(int count, int step) {
  std::vector<int> keys;
  for (int i = 0; i < count; ++i) keys.push_back(step > 0 ? i * step : (count - i) * -step);
  return keys;
}

}  // namespace

TEST_CASE("an empty tree has nothing") { CHECK(subject{}.find(1) == none); }

TEST_CASE("whatever order numbers come in, each is found in a logarithm of their number") {
  std::vector<int> mixed;
  for (int i = 0; i < 1000; ++i) mixed.push_back(2 * (i * 619 % 1000));
  for (const std::vector<int>& keys : {counted(1000, 2), counted(1000, -2), mixed}) {
    subject s{keys};
    s.add_all();
    std::size_t most = 0;
    for (std::size_t n = 0; n < keys.size(); ++n) {
      REQUIRE(s.find(keys[n]) == n);
      most = s.steps > most ? s.steps : most;
    }
    CHECK(most <= 20);  // twice the logarithm
    CHECK(s.find(-1) == none);
    CHECK(s.find(777) == none);
    CHECK(s.find(5000) == none);
  }
}
