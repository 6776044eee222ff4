// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Tasks placed by slack: who is where when, and what comes of it for many tasks.

#include <doctest/doctest.h>
#include <algorithm>
#include <random>
#include <stretto/search/least_period.hpp>
#include <stretto/search/placement.hpp>
#include <stretto/search/solve.hpp>
#include <vector>
#include "../support/seed.hpp"
#include "random_problem.hpp"

namespace {

namespace search = stretto::search;
using search::number;
using search::detail::occupancy;
using search::detail::placement;

}  // namespace

TEST_CASE("the first free time is found, and who is in the way") {
  std::mt19937 random(seeds::first(1));
  const auto pick = [&](long long least, long long most) {
    return std::uniform_int_distribution<long long>(least, most)(random);
  };
  for (int round = 0; round < 60; ++round) {
    const long long period = pick(5, 30);
    occupancy by;
    by.reset(period);
    std::vector<number> taken(static_cast<std::size_t>(period), search::no_number);
    const auto slot = [&](long long at) -> number& {
      return taken[static_cast<std::size_t>(at % period)];
    };
    struct held {
      long long at;
      long long weight;
    };
    std::vector<held> all;
    long long steps = 0;
    for (number task = 0; task < 12; ++task) {
      const long long from = pick(0, 3 * period);
      const long long weight = pick(1, period);
      const auto free_at = [&](long long at) {
        for (long long k = 0; k < weight; ++k)
          if (slot(at + k) != search::no_number) return false;
        return true;
      };
      long long expected = -1;
      for (long long at = from; at < from + period && expected < 0; ++at)
        if (free_at(at)) expected = at;
      REQUIRE(by.first_free(from, weight, steps) == expected);
      std::vector<number> in_the_way;
      by.each_at(from, weight, [&](const occupancy::held& h) { in_the_way.push_back(h.task); });
      for (number other = 0; other < task; ++other) {
        bool meets = false;
        for (long long k = 0; k < weight; ++k) meets = meets || slot(from + k) == other;
        CHECK(meets == (std::count(in_the_way.begin(), in_the_way.end(), other) == 1));
      }
      all.push_back({-1, 0});
      if (expected >= 0) {
        by.hold(expected, weight, task);
        for (long long k = 0; k < weight; ++k) slot(expected + k) = task;
        all.back() = {expected, weight};
      }
      if (pick(0, 2) == 0) {
        const number out = static_cast<number>(pick(0, task));
        if (all[out].at >= 0) {
          by.release(all[out].at, out);
          for (long long k = 0; k < all[out].weight; ++k) slot(all[out].at + k) = search::no_number;
          all[out].at = -1;
        }
      }
    }
  }
}

TEST_CASE("what is placed in a period is an answer that takes no longer, with fewer copies after") {
  std::mt19937 random(seeds::first(2));
  std::size_t placed = 0;
  std::size_t fewer = 0;
  for (int i = 0; i < 120; ++i) {
    CAPTURE(i);
    random_problem::shape of;
    of.tasks = 4 + i;
    of.in_flight = 2 + i % 3;
    of.threads = i % 4;
    of.bounds = i % 2 == 0;
    search::problem p = random_problem::draw(random, of);
    p.progresses.clear();  // which placement knows nothing of
    placement by(p);
    const auto least = search::find_least_period(p).period;
    const long long bound = search::detail::divided_up(least.time, least.progresses);
    for (const long long period : {bound, bound + bound / 10 + 1, 2 * bound}) {
      if (!by.place(period, 20 * of.tasks, static_cast<number>(i % 3))) continue;
      ++placed;
      const search::answer a = search::detail::answer_of(p, by.found());
      const search::evaluation first(p, a);
      REQUIRE(static_cast<int>(first.wrong()) == 0);
      CHECK(!(stretto::planner::ratio{period, 1} < first.period()));
      by.save_copies(1'000'000);
      const search::answer saved = search::detail::answer_of(p, by.found());
      const search::evaluation then(p, saved);
      REQUIRE(static_cast<int>(then.wrong()) == 0);
      CHECK(!(stretto::planner::ratio{period, 1} < then.period()));
      CHECK(then.bytes() <= first.bytes());
      if (then.bytes() < first.bytes()) ++fewer;
    }
  }
  CHECK(placed > 150);
  CHECK(fewer > 60);
}

TEST_CASE("ten thousand tasks come close to the bound") {
  std::mt19937 random(seeds::first(3));
  random_problem::shape of;
  of.tasks = 10'000;
  of.threads = 12;
  of.in_flight = 60;
  of.bounds = false;
  const search::problem p = random_problem::draw(random, of);
  const search::solution found = search::solve(p);
  REQUIRE(found.found);
  CHECK(found.period.value() <= 1.02 * found.least.value());
  CHECK(found.steps <= 2'000'000'000);
}
