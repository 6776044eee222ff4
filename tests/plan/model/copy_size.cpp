// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The bytes that a copy of a slot takes.

#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/plan/model/copy_size.hpp>

namespace planner = stretto::planner;

TEST_CASE("copies have cache lines of their own, and large ones pages") {
  constexpr std::size_t large = std::size_t{64} * 1024;
  CHECK(planner::copy_alignment(1) == 64);
  CHECK(planner::copy_alignment(large - 1) == 64);
  CHECK(planner::copy_alignment(large) == 4096);
  CHECK(planner::copy_size(1, 1) == 64);
  CHECK(planner::copy_size(64, 8) == 64);
  CHECK(planner::copy_size(65, 8) == 128);
  CHECK(planner::copy_size(1, 256) == 256);
  CHECK(planner::copy_size(large + 1, 8) == large + 4096);
}
