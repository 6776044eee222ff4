// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What no schedule's period is less than, and why.

#include <doctest/doctest.h>
#include <random>
#include <stretto/search/least_period.hpp>
#include <vector>
#include "../support/seed.hpp"
#include "random_problem.hpp"

namespace {

namespace search = stretto::search;
using search::number;
using search::proof;
using stretto::planner::ratio;

/// Three tasks in a row on any of so many threads.
search::problem row(number threads) {
  search::problem p;
  p.threads = threads;
  p.resources = 1;
  p.in_flight = 4;
  p.tasks.resize(3);
  for (number t = 0; t < 3; ++t) p.tasks[t].weight = 4 + t;
  p.slot_list = {{1, p.pull(), {{0, 0}}}, {1, 0, {{1, 0}}}, {1, 1, {{2, 0}}}};
  return p;
}

}  // namespace

TEST_CASE("a bound tells what it is of") {
  search::problem p = row(3);
  search::least_period least = search::find_least_period(p);
  CHECK(least.period == ratio{6, 1});
  CHECK(least.why.reason == proof::why::task);
  CHECK(least.why.nodes == std::vector<number>{2});

  p = row(2);
  p.tasks.push_back({9});
  least = search::find_least_period(p);
  CHECK(least.period == ratio{12, 1});  // 24 / 2
  CHECK(least.why.reason == proof::why::threads);
  CHECK(least.why.nodes == std::vector<number>{0, 1, 2, 3});
  p.tasks[3].weight = 8;
  CHECK(search::find_least_period(p).period == ratio{12, 1});  // 23 / 2, and weights are whole
  p.tasks[0].weight = 2;
  p.tasks[1].weight = p.tasks[2].weight = 4;
  CHECK(search::find_least_period(p).period == ratio{10, 1});  // 18 / 2, and loads are even

  p = row(2);
  p.tasks[0].weight = 6;
  p.tasks[1].weight = 7;  // two of 7, 6 and 6 are on a thread
  least = search::find_least_period(p);
  CHECK(least.period == ratio{12, 1});
  CHECK(least.why.reason == proof::why::crowd);
  CHECK(least.why.nodes == std::vector<number>{1, 0, 2});
  CHECK(least.why.share == 2);
  p.tasks[1].host = false;  // on no thread
  CHECK(search::find_least_period(p).why.reason == proof::why::task);

  p = row(3);
  p.tasks[0].thread = p.tasks[2].thread = 1;
  least = search::find_least_period(p);
  CHECK(least.period == ratio{10, 1});
  CHECK(least.why.reason == proof::why::thread);
  CHECK(least.why.which == 1);
  CHECK(least.why.nodes == std::vector<number>{0, 2});

  p = row(3);
  p.tasks[1].on = p.tasks[2].on = {0};
  least = search::find_least_period(p);
  CHECK(least.period == ratio{11, 1});
  CHECK(least.why.reason == proof::why::resource);
  CHECK(least.why.nodes == std::vector<number>{1, 2});

  p = row(3);
  p.arcs.push_back({2, 0, 2});
  least = search::find_least_period(p);
  CHECK(least.period == ratio{15, 2});
  CHECK(least.why.reason == proof::why::cycle);
  CHECK(least.why.nodes.size() == 3);

  p = row(3);
  p.in_flight = 1;
  CHECK(search::find_least_period(p).period == ratio{15, 1});
  p = row(3);
  p.pull_weight = 30;
  least = search::find_least_period(p);
  CHECK(least.period == ratio{30, 1});
  CHECK(least.why.nodes.empty());
  CHECK(least.why.which == p.pull());

  // Only tasks that may be on the threads that are offered are divided among them.
  p = row(2);
  p.offered = 1;
  p.tasks[0].thread = 1;
  CHECK(search::find_least_period(p).period == ratio{11, 1});
  p = row(3);
  for (auto& t : p.tasks) t.weight = 0;
  CHECK(search::find_least_period(p).period.time == 0);
  CHECK(search::find_least_period(p).why.reason == proof::why::none);
}

TEST_CASE("no answer has a period that is shorter") {
  std::mt19937 random(seeds::first(9));
  std::size_t met = 0;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i);
    random_problem::shape of;
    of.tasks = 3;
    of.in_flight = 1 + i % 3;
    const search::problem p = random_problem::draw(random, of);
    const random_problem::best_of_all best(p);
    if (!best.any) continue;
    CHECK(!(best.period < search::find_least_period(p).period));
    if (best.period == search::find_least_period(p).period) ++met;
  }
  CHECK(met > 75);
}
