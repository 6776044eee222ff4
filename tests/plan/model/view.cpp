// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <numeric>
#include <stretto/plan/model/view.hpp>
#include <vector>

using stretto::planner::view;

TEST_CASE("a view shows what somebody else holds, of an array, a container or a part of one") {
  const int array[] = {1, 2, 3};
  std::vector<int> vector{4, 5, 6, 7};
  const view<int> of_array = array;
  CHECK(of_array.size() == 3);
  CHECK(of_array.front() == 1);
  CHECK(of_array.back() == 3);
  const view<int> of_vector = vector;
  vector[1] = 50;
  CHECK(of_vector[1] == 50);
  const view<int> part(vector.data() + 1, 2);
  CHECK(part.front() == 50);
  CHECK(part.back() == 6);
  CHECK(std::accumulate(part.begin(), part.end(), 0) == 56);
}

TEST_CASE("a view of nothing is empty") {
  CHECK(view<int>().empty());
  CHECK(view<int>().begin() == view<int>().end());
  CHECK(view<int>(std::vector<int>()).empty());
}
