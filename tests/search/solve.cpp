// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The search as a whole, against all answers that there are.

#include <doctest/doctest.h>
#include <random>
#include <stretto/search/solve.hpp>
#include <vector>
#include "../support/seed.hpp"
#include "random_problem.hpp"

namespace {

namespace search = stretto::search;
using stretto::planner::ratio;

}  // namespace

TEST_CASE("of small problems the best of all answers is found, and proved") {
  std::mt19937 random(seeds::first(3));
  std::size_t none = 0;
  std::size_t above = 0;
  for (int i = 0; i < 600; ++i) {
    CAPTURE(i);
    random_problem::shape of;
    of.tasks = i < 480 ? 3 : 4;
    of.in_flight = 1 + i % 3;
    if (i >= 480) of.in_flight = 1 + i % 2;
    of.threads = 1 + i % 2;
    search::problem p = random_problem::draw(random, of);
    if (i % 4 == 0) {
      p.bytes = 0;
      for (const auto& s : p.slot_list) p.bytes += s.bytes;
      p.bytes += i % 5;
    }
    if (i % 7 == 0) p.offered = 1;
    const random_problem::best_of_all best(p);
    const search::solution found = search::solve(p);
    REQUIRE(found.found == best.any);
    if (!best.any) {
      CHECK(found.none);
      ++none;
      continue;
    }
    const search::evaluation of_it(p, found.best);
    REQUIRE(of_it.wrong() == search::illegal::no);
    CHECK(of_it.period() == found.period);
    CHECK(of_it.bytes() == found.bytes);
    CHECK(found.period == best.period);
    CHECK(found.least == best.period);
    CHECK(found.optimal());
    CHECK(found.bytes == best.bytes);
    CHECK(found.least_bytes == best.bytes);
    CHECK(found.best.in_flight == best.in_flight);
    CHECK(found.fewest_in_flight);
    if (search::find_least_period(p).period < best.period) ++above;
  }
  CHECK(none > 5);
  CHECK(above > 40);
}

TEST_CASE("an answer of a problem of any size is what it is said to be") {
  std::mt19937 random(seeds::first(5));
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i);
    random_problem::shape of;
    of.tasks = 5 + i;
    of.in_flight = 1 + i % 4;
    of.threads = i % 4;
    of.resources = i % 3;
    const search::problem p = random_problem::draw(random, of);
    search::effort how;
    how.steps = 3'000'000;
    ratio least{0, 1};
    ratio period{1, 0};
    how.progress = [&](const search::solution& now) {
      CHECK(!(period < now.period));
      CHECK(!(now.least < least));
      CHECK(search::evaluation(p, now.best).period() == now.period);
      least = now.least;
      period = now.period;
      return true;
    };
    const search::solution found = search::solve(p, how);
    if (!found.found) continue;
    CHECK(search::evaluation(p, found.best).wrong() == search::illegal::no);
    CHECK(found.period == period);
    CHECK(!(found.period < found.least));
    CHECK(!(found.least < search::find_least_period(p).period));
    // The same on every machine, and at every time.
    how.progress = {};
    const search::solution again = search::solve(p, how);
    CHECK(again.best.order == found.best.order);
    CHECK(again.best.lookahead == found.best.lookahead);
    CHECK(again.best.thread == found.best.thread);
    CHECK(again.steps == found.steps);
  }
}

TEST_CASE("a search can be ended, and begins with what is known") {
  std::mt19937 random(seeds::first(11));
  random_problem::shape of;
  of.tasks = 40;
  of.in_flight = 3;
  of.bounds = false;
  const search::problem p = random_problem::draw(random, of);
  search::effort how;
  int calls = 0;
  how.progress = [&](const search::solution&) { return ++calls < 2; };
  const search::solution ended = search::solve(p, how);
  CHECK(ended.found);
  CHECK(calls == 2);
  const search::solution whole = search::solve(p);
  CHECK(!(ended.period < whole.period));

  search::effort informed;
  informed.known = {search::answer{}, whole.best};
  calls = 0;
  informed.progress = [&](const search::solution& now) {
    CHECK((now.period == whole.period) == (calls > 0));  // before, there is the plain one
    return ++calls < 2;
  };
  CHECK(search::solve(p, informed).period == whole.period);
  CHECK(calls == 2);
}

TEST_CASE("bounds that contradict each other are said to leave no answer") {
  search::problem p;
  p.tasks.resize(2);
  p.in_flight = 2;
  p.slot_list.push_back({1, 0, {{1, 0}}});
  p.tasks[0].weight = p.tasks[1].weight = 3;
  p.tasks[0].host = p.tasks[1].host = false;
  CHECK(search::solve(p).found);
  CHECK(search::solve(p).period == ratio{3, 1});
  CHECK(search::solve(p).best.in_flight == 2);

  p.tasks[1].least = 1;  // `0` would have to be as far ahead
  p.tasks[0].most = 0;
  CHECK(search::solve(p).none);
  p.tasks[1].least = 0;
  p.tasks[0].most = 1;
  p.bytes = 0;
  CHECK(search::solve(p).none);
  p.bytes = 1;
  CHECK(search::solve(p).period == ratio{6, 1});

  // In one progress each after the other.
  p.bytes = search::no_limit;
  p.progresses = {{0, 1, 0}, {1, 0, 0}};
  CHECK(search::solve(p).none);
}
