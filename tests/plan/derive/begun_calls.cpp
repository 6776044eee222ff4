// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Who begins the calls of tasks that are coroutines, and before which of its own tasks.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <stretto/plan/derive/begun_calls.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>

namespace planner = stretto::planner;

namespace {

bool is(const planner::begun_call& b, std::size_t node, std::size_t by, std::size_t before) {
  return b.node == node && b.by == by && b.before == before;
}

}  // namespace

TEST_CASE("a thread begins a coroutine's call at its place in the plan's order") {
  // Tasks 0 to 4, the pull, which is node 5, and the delivery, 6. Thread 0 pulls and delivers,
  // thread 1 has the tasks 1 and 3; 0, 2 and 4 are coroutines.
  const std::array<std::size_t, 7> order{5, 0, 1, 2, 3, 4, 6};
  const std::array<std::size_t, 7> chained{5, 6, 1, 3, 0, 2, 4};
  const std::array<planner::range, 5> chains{{{0, 2}, {2, 4}, {4, 5}, {5, 6}, {6, 7}}};
  const std::array<std::size_t, 5> begun_by{planner::none, planner::none, 0, 1, 1};
  const auto begun = planner::begun_calls({order, chained, chains, begun_by, 5});
  REQUIRE(begun.size() == 3);
  CHECK(is(begun[0], 0, 0, 1));
  CHECK(is(begun[1], 2, 1, 1));  // between its two tasks
  CHECK(is(begun[2], 4, 1, 2));  // behind both

  // One that comes first, too, is begun by a thread that pulls when it has pulled.
  const std::array<std::size_t, 7> before_pull{0, 5, 1, 2, 3, 4, 6};
  CHECK(is(planner::begun_calls({before_pull, chained, chains, begun_by, 5})[0], 0, 0, 1));
  // By one that does not, before all else.
  const std::array<std::size_t, 5> by_other{planner::none, planner::none, 1, 1, 1};
  CHECK(is(planner::begun_calls({order, chained, chains, by_other, 5})[0], 0, 1, 0));

  CHECK(planner::begun_calls({order, chained, chains, {}, 5}).empty());
}
