// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A list scheduler, and what it is made of: paths of a batch, orders, threads.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <random>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/search.hpp>
#include <string>
#include <vector>
#include "../support/seed.hpp"
#include "random_problem.hpp"
#include "random_schedule.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace search = stretto::search;
using search::number;

/// Tasks a (2) and b (3), both for c (4); d (8) waits for nobody. All on any of two threads.
search::problem four() {
  search::problem p;
  p.threads = 2;
  p.in_flight = 2;
  for (const int weight : {2, 3, 4, 8}) p.tasks.push_back({weight});
  p.arcs = {{0, 2, 0}, {1, 2, 0}};
  return p;
}

}  // namespace

TEST_CASE("the paths of a batch") {
  search::problem p = four();
  p.arcs.push_back({2, 0, 1});  // an earlier batch's
  p.slot_list.push_back({1, 1, {{3, 1}}});
  const search::detail::batch_graph g(p);
  CHECK(g.head == std::vector<long long>{0, 0, 3, 0});
  CHECK(g.tail == std::vector<long long>{6, 7, 4, 8});
  CHECK(g.longest == 8);
  CHECK(g.arcs.size() == 4);
  CHECK(g.before[3].empty());
}

TEST_CASE("of the tasks that wait for nothing the one with the longest path is first") {
  const search::solution found = search::list_schedule(four(), {{0, 0, 0, 0}});
  REQUIRE(found.found);
  CHECK(found.best.order == std::vector<number>{3, 1, 0, 2});
  // d on one; b, a and c on the other.
  CHECK(found.best.thread == std::vector<number>{1, 1, 1, 0});
  CHECK(found.best.in_flight == 1);
  CHECK(found.period.value() == 9);
  CHECK(found.least.value() == 9);
  CHECK(found.fewest_in_flight);
}

TEST_CASE("what is pinned counts as busy, and no other thread is offered than those") {
  search::problem p = four();
  p.threads = 3;
  p.offered = 2;
  p.tasks[3].thread = 0;
  search::solution found = search::list_schedule(p, {{0, 0, 0, 0}});
  REQUIRE(found.found);
  CHECK(found.best.thread == std::vector<number>{1, 1, 1, 0});
  p.tasks[3].host = false;
  p.tasks[3].thread = search::no_number;
  found = search::list_schedule(p, {{0, 0, 0, 0}});
  REQUIRE(found.found);
  CHECK(found.best.thread == std::vector<number>{1, 0, 1, search::no_number});
}

TEST_CASE("lookaheads stay, or come as close as they may") {
  search::problem p = four();
  search::solution found = search::list_schedule(p, {{1, 1, 0, 0}});
  REQUIRE(found.found);
  CHECK(found.best.lookahead == std::vector<int>{1, 1, 0, 0});
  CHECK(found.best.in_flight == 2);
  CHECK_FALSE(found.fewest_in_flight);
  // No task is further ahead than those it waits for, and none beyond its cap.
  found = search::list_schedule(p, {{0, 5, 1, 7}});
  REQUIRE(found.found);
  CHECK(found.best.lookahead == std::vector<int>{0, 1, 0, 1});
  // By depth, where there are none: those that start in the first half are ahead.
  found = search::list_schedule(p, {});
  REQUIRE(found.found);
  CHECK(found.best.lookahead == std::vector<int>{1, 1, 1, 1});
  p.tasks[2].weight = 9;
  p.tasks[0].weight = 10;
  found = search::list_schedule(p, {});
  CHECK(found.best.lookahead == std::vector<int>{1, 1, 0, 1});
}

TEST_CASE("lookaheads of other tasks are refused") {
  CHECK_THROWS_WITH_AS(search::list_schedule(four(), {{1, 0, 0}}),
                       "there are lookaheads of 3 tasks, but 4 tasks", st::usage_error);
  CHECK_THROWS_AS(search::beam_search(four(), {{1, 0, 0, 0, 0}}), st::usage_error);
}

TEST_CASE("rings have as many copies as there are batches, and fewer only for fewer bytes") {
  search::problem p = four();
  p.slot_list = {{10, 0, {{2, 0}}}, {1, 1, {{2, 0}}}};
  const search::authored by{{1, 1, 1, 0}};
  search::solution found = search::list_schedule(p, by);
  REQUIRE(found.found);
  CHECK(found.best.copies == std::vector<int>{2, 2});
  CHECK(found.bytes == 22);
  CHECK(found.least_bytes == 11);
  p.bytes = 21;
  found = search::list_schedule(p, by);
  REQUIRE(found.found);
  CHECK(found.best.copies == std::vector<int>{1, 1});
  p.bytes = 10;
  CHECK_FALSE(search::list_schedule(p, by).found);
}

TEST_CASE("fire orders put first what they say") {
  search::problem p;
  p.resources = 4;  // a communicator, a bus, two streams
  p.in_flight = 1;
  const auto task = [&](int weight, std::vector<number> on) {
    p.tasks.push_back({weight, false, search::no_number, std::move(on)});
  };
  task(1, {2});
  task(5, {2, 1});
  task(2, {2, 0});
  task(3, {3, 1});
  task(9, {3, 0});
  p.arcs = {{0, 2, 0}};
  const search::detail::batch_graph g(p);
  const search::detail::queues q(p, std::vector<number>(5, search::no_number), true);
  CHECK(q.of == std::vector<number>{2, 2, 2, 3, 3});
  CHECK(q.main == 3);
  CHECK(q.collectives(p) == 0);
  const auto wanted = [&](search::fire_order policy) {
    return search::detail::priorities(p, g, q, policy);
  };
  using order = std::vector<number>;
  CHECK(wanted(search::fire_order::declared) == order{0, 1, 2, 3, 4});
  CHECK(wanted(search::fire_order::critical_path) == order{4, 1, 0, 3, 2});
  CHECK(wanted(search::fire_order::main_first) == order{3, 4, 0, 1, 2});
  CHECK(wanted(search::fire_order::longest_off_main) == order{1, 2, 0, 4, 3});
  CHECK(wanted(search::fire_order::collectives_early) == order{2, 4, 0, 1, 3});
  CHECK(wanted(search::fire_order::transfers_early) == order{1, 3, 0, 2, 4});
  CHECK(wanted(search::fire_order::least_slack) == order{4, 1, 0, 2, 3});
  // Frozen tasks say which queue is the main one, however short they are.
  p.tasks[0].least = p.tasks[0].most = 0;
  const search::detail::queues frozen(p, std::vector<number>(5, search::no_number), true);
  CHECK(frozen.main == 2);
  CHECK(search::detail::priorities(p, g, frozen, search::fire_order::main_first) ==
        order{0, 1, 2, 3, 4});
  // What follows the main queue goes with it.
  p.arcs.push_back({1, 4, 0});
  const search::detail::batch_graph followed(p);
  CHECK(search::detail::priorities(p, followed, frozen, search::fire_order::main_first) ==
        order{0, 1, 2, 4, 3});
  CHECK(search::detail::priorities(p, followed, frozen, search::fire_order::longest_off_main) ==
        order{3, 4, 1, 2, 0});
}

TEST_CASE("an order is one in which no task waits for a later one of its progress") {
  search::problem p = four();
  const search::detail::batch_graph g(p);
  using order = std::vector<number>;
  const order backwards{3, 2, 1, 0};
  CHECK(search::detail::order_of_a_progress(p, g, {0, 0, 0, 0}, backwards) == order{3, 1, 0, 2});
  // A batch ahead, nobody waits for it in this progress.
  CHECK(search::detail::order_of_a_progress(p, g, {1, 1, 0, 0}, backwards) == backwards);
  p.progresses = {{0, 3, 0}};
  CHECK(search::detail::order_of_a_progress(p, g, {1, 1, 0, 0}, backwards) == order{2, 1, 0, 3});
  p.progresses = {{0, 3, 0}, {3, 0, 0}};
  CHECK(search::detail::order_of_a_progress(p, g, {1, 1, 0, 0}, backwards) == order{2, 1});
  CHECK_FALSE(search::list_schedule(p, {{1, 1, 0, 0}}).found);
}

TEST_CASE(
    "what the tools make of schedules has the period that they say, and no shorter one than "
    "what is found") {
  std::mt19937 random(seeds::first(11));
  std::size_t listed = 0;
  std::size_t assigned = 0;
  std::size_t beamed = 0;
  std::size_t worse = 0;
  const std::size_t all = 150;
  for (std::size_t i = 0; i < all; ++i) {
    const auto drawn = random_schedule::random_case::valid(random, 8);
    const auto costs = drawn.costs();
    search::limits within;
    within.in_flight = 3;
    if (i % 2 == 0) within.threads = {"worker0", "worker1"};
    CAPTURE(i);
    const search::found_schedule best = search::find_schedule(drawn.schedule, costs, within);
    const auto judged = [&](auto make) -> std::size_t {
      search::found_schedule made;
      try {
        made = make();
      } catch (const st::usage_error&) {
        return 0;
      }
      const dynamic::planned_schedule planned(made.schedule);
      CHECK(st::bound_of(planned, costs).period() == made.period);
      CHECK(static_cast<int>(planned.in_flight()) == made.in_flight);
      CHECK(!(made.period < best.period));
      CHECK(!(made.period < made.least));
      CHECK(made.bytes >= best.least_bytes * static_cast<int>(made.period == best.period));
      if (best.period < made.period) ++worse;
      // Each time the same one.
      CHECK(dynamic::planned_schedule(make().schedule).describe() == planned.describe());
      return 1;
    };
    listed += judged([&] { return search::list_schedule(drawn.schedule, costs, within); });
    assigned += judged([&] {
      return search::assign_lookaheads(drawn.schedule, costs, within,
                                       search::fire_order::least_slack);
    });
    beamed += judged([&] { return search::beam_search(drawn.schedule, costs, within); });
  }
  CHECK(listed > all * 3 / 4);
  CHECK(assigned > all / 2);
  CHECK(beamed > all * 3 / 4);
  CHECK(worse > all / 2);
}
