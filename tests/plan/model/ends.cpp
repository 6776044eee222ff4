// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What runs at the end of a stream for what is left of a group, and what it finds there.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <stretto/plan/model/ends.hpp>
#include <vector>

namespace {

namespace planner = stretto::planner;
using planner::none;

constexpr planner::rate last_of_four{4, 3, true};
constexpr planner::rate second_of_four{4, 1, true};
constexpr planner::rate full_groups{4, 3, false};
constexpr planner::rate each{};

planner::access ago(int batches) {
  planner::access a;
  a.ago = batches;
  return a;
}
planner::access latest(int batches) {
  planner::access a = ago(batches);
  a.latest = true;
  return a;
}

}  // namespace

TEST_CASE("a task runs for the batch of a cut group that is at its phase") {
  CHECK(planner::batch_at_end(last_of_four, 0) == none);
  CHECK(planner::batch_at_end(last_of_four, 1) == 3);
  CHECK(planner::batch_at_end(last_of_four, 3) == 3);
  CHECK(planner::batch_at_end(last_of_four, 4) == none);
  CHECK(planner::batch_at_end(last_of_four, 10) == 11);
  CHECK(planner::batch_at_end(second_of_four, 5) == 5);
  CHECK(planner::batch_at_end(second_of_four, 6) == none);
  CHECK(planner::batch_at_end(full_groups, 5) == none);
  CHECK(planner::batch_at_end(each, 5) == none);
  for (const planner::rate& r : {last_of_four, second_of_four, full_groups, each})
    for (std::size_t batches = 0; batches < 20; ++batches)
      for (std::size_t batch = 0; batch < 30; ++batch)
        CHECK(planner::runs_at_end(r, batch, batches) ==
              (planner::batch_at_end(r, batches) == batch));
}

TEST_CASE("all go on to the last such batch") {
  const std::array<planner::rate, 3> runs{each, last_of_four, planner::rate{6, 5, true}};
  CHECK(planner::last_run_at_end(runs, 12) == 12);
  CHECK(planner::last_run_at_end(runs, 10) == 12);
  CHECK(planner::last_run_at_end(runs, 14) == 18);
  CHECK(planner::last_run_at_end(runs, 8) == 12);
}

TEST_CASE("batches are left of a group that has not got to the phase") {
  CHECK(planner::batches_left(full_groups, 10) == 2);
  CHECK(planner::batches_left(full_groups, 8) == 0);
  CHECK(planner::batches_left(second_of_four, 10) == 0);
  CHECK(planner::batches_left(second_of_four, 9) == 1);
  CHECK(planner::batches_left(each, 9) == 0);
}

TEST_CASE("what is counted back is counted from the last batch, and the farthest are missing") {
  const auto of = [](int batches) {
    return planner::group_read_at_end(ago(batches), each, 3, 11, 9);
  };
  CHECK(of(0) == 9);
  CHECK(of(1) == 8);
  CHECK(of(2) == none);
  CHECK(of(3) == none);
  // Full, nothing is.
  CHECK(planner::group_read_at_end(ago(3), each, 3, 11, 11) == 8);
  // Before batch 0 there is none.
  CHECK(planner::group_read_at_end(ago(1), each, 3, 3, 0) == none);
}

TEST_CASE("of a slot that is written for groups, groups are") {
  const planner::rate pairs{2, 1, true};
  CHECK(planner::group_read_at_end(ago(0), pairs, 1, 7, 4) == 2);
  CHECK(planner::group_read_at_end(ago(1), pairs, 1, 7, 4) == none);
  CHECK(planner::group_read_at_end(ago(1), pairs, 1, 7, 6) == 2);
  CHECK(planner::group_read_at_end(ago(1), last_of_four, 1, 11, 9) == 1);
}

TEST_CASE("the latest value is the last that was written") {
  CHECK(planner::group_read_at_end(latest(0), each, 0, 11, 9) == 9);
  CHECK(planner::group_read_at_end(latest(3), each, 0, 11, 9) == 8);
  CHECK(planner::group_read_at_end(latest(0), last_of_four, 0, 11, 9) == 2);
  CHECK(planner::group_read_at_end(latest(0), full_groups, 0, 11, 9) == 1);
  CHECK(planner::group_read_at_end(latest(0), full_groups, 0, 3, 1) == none);
  CHECK(planner::group_read_at_end(latest(1), last_of_four, 0, 11, 9) == 1);
  CHECK(planner::group_read_at_end(latest(5), each, 0, 3, 1) == none);
}
