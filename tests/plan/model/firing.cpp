// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <stretto/plan/model/firing.hpp>
#include <string>

namespace planner = stretto::planner;

// Three lookaheads and four batches, drawn by hand: a row for each task, a column for each
// progress.
TEST_CASE("tasks start one after the other, work, and stop one after the other") {
  const char* const drawn[] = {"0123..",   // lookahead 2
                               ".0123.",   // lookahead 1
                               "..0123"};  // lookahead 0
  for (int lookahead = 2; lookahead >= 0; --lookahead) {
    std::string row;
    const std::size_t lag = planner::lag(2, lookahead);
    for (std::size_t progress = 0; progress < 6; ++progress)
      row += planner::fires(lag, progress, 4) ? static_cast<char>('0' + progress - lag) : '.';
    CHECK(row == drawn[2 - lookahead]);
  }
}

TEST_CASE("no batch: nothing fires") {
  for (std::size_t progress = 0; progress < 4; ++progress)
    for (std::size_t lag = 0; lag < 4; ++lag) CHECK_FALSE(planner::fires(lag, progress, 0));
}

TEST_CASE("the pipeline is filled when its last task has its first batch") {
  CHECK_FALSE(planner::filled(2, 1));
  CHECK(planner::filled(2, 2));
  CHECK(planner::filled(0, 0));
}
