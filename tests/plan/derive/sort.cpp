// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order of one progress, and the cycle that there is where there is none.

#include <doctest/doctest.h>
#include <initializer_list>
#include <stretto/plan/derive/sort.hpp>
#include <utility>
#include <vector>

namespace {

namespace planner = stretto::planner;
using numbers = std::vector<std::size_t>;

planner::graph of_tasks(std::size_t tasks) {
  planner::graph g;
  g.tasks = tasks;
  g.nodes.assign(tasks + 2, {});
  return g;
}

planner::list<planner::edge> edges(std::initializer_list<std::pair<std::size_t, std::size_t>> all,
                                   int delta = 0) {
  planner::list<planner::edge> list;
  for (const auto& [producer, consumer] : all)
    list.push_back({producer, consumer, delta, planner::reason::depends_on, planner::none, 0});
  return list;
}

}  // namespace

TEST_CASE("without edges tasks run as they are declared, between pull and deliver") {
  CHECK(planner::sort(of_tasks(3), {}).order == numbers{3, 0, 1, 2, 4});
  CHECK(planner::sort(of_tasks(0), {}).order == numbers{0, 1});
}

TEST_CASE("a task comes as soon as it may, the first declared first") {
  const planner::graph g = of_tasks(6);
  CHECK(planner::sort(g, edges({{5, 0}, {2, 1}})).order == numbers{6, 2, 1, 3, 4, 5, 0, 7});
  CHECK(planner::sort(g, edges({{0, 5}})).order == numbers{6, 0, 1, 2, 3, 4, 5, 7});
  // The last one makes three ready at once, of which none has had its turn.
  CHECK(planner::sort(g, edges({{5, 2}, {5, 0}, {5, 1}, {1, 0}})).order ==
        numbers{6, 3, 4, 5, 1, 0, 2, 7});
}

TEST_CASE("edges to a later progress leave the order alone") {
  planner::list<planner::edge> all = edges({{1, 0}}, 1);
  CHECK(planner::sort(of_tasks(2), all).order == numbers{2, 0, 1, 3});
}

TEST_CASE("two edges between the same tasks are one order") {
  CHECK(planner::sort(of_tasks(2), edges({{1, 0}, {1, 0}})).order == numbers{2, 1, 0, 3});
}

TEST_CASE("who is on a cycle, and who comes after one, has no place in the order") {
  const planner::graph g = of_tasks(6);
  const planner::list<planner::edge> all = edges({{1, 2}, {4, 2}, {2, 3}, {3, 4}, {3, 0}});
  const planner::sorted s = planner::sort(g, all);
  CHECK(s.order == numbers{6, 1, 5, 7});
  CHECK(s.cyclic == numbers{0, 2, 3, 4});
  // 2 waits for 4, that for 3, that for 2; 0 only waits for them.
  CHECK(planner::cycle(g, all, s) == numbers{2, 4, 3});
}

TEST_CASE("cycles without a common task are all found; of those that share one, the first") {
  const planner::graph g = of_tasks(9);
  // 0 and 1, 3 alone, 4 to 6; 2 comes after the first, and 7 and 8 lead from it to the last.
  const planner::list<planner::edge> all = edges(
      {{0, 1}, {1, 0}, {1, 2}, {3, 3}, {4, 5}, {5, 6}, {6, 4}, {6, 5}, {2, 7}, {7, 8}, {8, 4}});
  const planner::list<std::size_t> found = planner::cycles(g, all, planner::sort(g, all));
  REQUIRE(found.size() == 8);
  CHECK(planner::cycle_from(found, 0).size() == 2);
  CHECK(planner::cycle_from(found, 3).size() == 1);
  CHECK(planner::cycle_from(found, 4).size() == 3);
  CHECK(planner::cycle_from(found, 1).empty());  // where no cycle begins
  CHECK(planner::cycle_from(found, 4)[1] == 6);
  const planner::list<planner::edge> sound = edges({{1, 0}});
  CHECK(planner::cycles(of_tasks(2), sound, planner::sort(of_tasks(2), sound)).empty());
}

TEST_CASE("of very many cycles as many are told as anybody reads") {
  const std::size_t pairs = planner::most_cycles + 5;
  planner::list<planner::edge> all;
  for (std::size_t i = 0; i < pairs; ++i)
    for (const auto& [from, to] : {std::pair{2 * i, 2 * i + 1}, std::pair{2 * i + 1, 2 * i}}) {
      planner::edge e;
      e.producer = from;
      e.consumer = to;
      all.push_back(e);
    }
  const planner::graph g = of_tasks(2 * pairs);
  CHECK(planner::cycles(g, all, planner::sort(g, all)).size() == 3 * planner::most_cycles - 1);
}

TEST_CASE("a task that waits for itself is a cycle; a valid schedule has none") {
  const planner::graph g = of_tasks(2);
  const planner::list<planner::edge> itself = edges({{1, 1}});
  CHECK(planner::cycle(g, itself, planner::sort(g, itself)) == numbers{1});
  const planner::list<planner::edge> sound = edges({{1, 0}});
  CHECK(planner::cycle(g, sound, planner::sort(g, sound)).empty());
}
