// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Answers that are as good by period, bytes and batches, with more to spare and fewer hand-overs.

#include <doctest/doctest.h>
#include <cstddef>
#include <random>
#include <stretto/search/refine.hpp>
#include <stretto/search/solve.hpp>
#include <vector>
#include "../support/seed.hpp"
#include "random_problem.hpp"

namespace {

namespace search = stretto::search;
using search::number;
using search::detail::refinement;
using stretto::planner::ratio;

/// Four tasks in a row, the first of which bounds the period, on any of three threads.
search::problem row(const std::vector<long long>& weights) {
  search::problem p;
  p.threads = 3;
  p.in_flight = 4;
  for (const long long weight : weights) p.tasks.push_back({weight});
  for (number t = 0; t < p.pull(); ++t)
    p.slot_list.push_back({1, t == 0 ? p.pull() : t - 1, {{t, 0}}});
  p.slot_list.push_back({1, p.pull() - 1, {{p.deliver(), 0}}});
  return p;
}

search::answer on(const search::problem& p, std::vector<number> thread) {
  search::answer a;
  const int last = static_cast<int>(p.tasks.size()) - 1;
  for (int t = 0; t <= last; ++t) {
    a.lookahead.push_back(last - t);
    a.order.push_back(static_cast<number>(t));
  }
  a.thread = std::move(thread);
  a.in_flight = last + 1;
  for (const auto& s : p.slot_list) a.copies.push_back(search::evaluation::least_copies(p, a, s));
  return a;
}

struct worth {
  ratio period;
  long long bytes;
  ratio spare;
  int hand_overs;
};
worth of(const search::problem& p, const search::answer& a) {
  search::evaluation by(p, a);
  REQUIRE(by.wrong() == search::illegal::no);
  return {by.period(), by.bytes(), by.spare(), by.hand_overs()};
}

}  // namespace

TEST_CASE("of two schedules that take as long the one with more to spare is taken") {
  const search::problem p = row({100, 60, 38, 5});
  const search::answer tight = on(p, {0, 1, 1, 2});  // 98 on the second thread
  const search::answer slack = on(p, {0, 1, 2, 2});
  REQUIRE(of(p, tight).period == ratio{100, 1});
  REQUIRE(of(p, slack).period == ratio{100, 1});
  CHECK(of(p, tight).spare == ratio{20 + 20 + 5, 203});  // of 60 and 38 a tenth is more than 2
  CHECK(of(p, slack).spare == ratio{60 + 38 + 5, 203});
  // However many copies there are, the first task's next run comes after this one.
  search::answer roomy = tight;
  for (int& copies : roomy.copies) copies += 4;
  CHECK(of(p, roomy).spare == of(p, tight).spare);

  const refinement by(p, tight, 1'000'000);
  CHECK(of(p, by.best()).period == ratio{100, 1});
  CHECK(of(p, by.best()).spare == of(p, slack).spare);
  CHECK(by.best().thread[1] != by.best().thread[2]);
  CHECK(refinement(p, tight, 0).best().thread == tight.thread);  // no work, no change
}

TEST_CASE("what another task waits for is done first") {
  search::problem p;
  p.threads = 3;
  p.tasks = {{60}, {20}, {70}, {150}};
  p.slot_list = {{1, p.pull(), {{0, 0}, {1, 0}, {3, 0}}}, {1, 1, {{2, 0}}}};
  p.tasks[0].thread = p.tasks[1].thread = 0;
  p.tasks[2].thread = 1;
  p.tasks[3].thread = 2;
  search::answer a;
  a.lookahead = {0, 0, 0, 0};
  a.thread = {0, 0, 1, 2};
  a.order = {0, 1, 2, 3};
  a.copies = {1, 1};
  REQUIRE(of(p, a).period == ratio{150, 1});
  CHECK(of(p, a).spare == ratio{0, 300});
  const refinement by(p, a, 1'000'000);
  CHECK(of(p, by.best()).period == ratio{150, 1});
  CHECK(of(p, by.best()).spare == ratio{60 + 20 + 70, 300});
}

TEST_CASE("of two schedules with as much to spare the one with fewer hand-overs is taken") {
  search::problem p = row({100, 10, 10, 10});
  const search::answer apart = on(p, {0, 1, 2, 1});
  const search::answer together = on(p, {0, 1, 1, 1});
  CHECK(of(p, apart).spare == of(p, together).spare);
  CHECK(of(p, apart).hand_overs == 3);
  CHECK(of(p, together).hand_overs == 1);
  const refinement by(p, apart, 1'000'000);
  CHECK(of(p, by.best()).hand_overs == 1);
  CHECK(of(p, by.best()).spare == of(p, together).spare);

  // What is pulled and delivered elsewhere is handed over, too; and a thread waits once for a task.
  const auto hand_overs = [&] { return of(p, on(p, {0, 1, 1, 1})).hand_overs; };
  p.pulling = p.delivering = p.threads;
  CHECK(hand_overs() == 3);
  p.slot_list[1].readers.push_back({2, 0});
  CHECK(hand_overs() == 3);
  p.arcs.push_back({0, 3, 0});
  CHECK(hand_overs() == 3);
  p.progresses.push_back({1, 0, 1});
  CHECK(hand_overs() == 4);
  p.tasks[1].host = false;
  CHECK(of(p, on(p, {0, search::no_number, 1, 1})).hand_overs == 3);
}

TEST_CASE("tasks of no time have nothing to spare that counts") {
  const search::problem p = row({0, 0, 0, 0});
  CHECK(of(p, on(p, {0, 0, 0, 0})).spare == ratio{1, 1});
}

TEST_CASE("what is refined is mostly the best of all answers as good, and never less than it was") {
  std::mt19937 random(seeds::first(3));
  std::size_t all = 0;
  std::size_t best = 0;
  std::size_t better = 0;
  for (int i = 0; i < 240; ++i) {
    CAPTURE(i);
    random_problem::shape drawn;
    drawn.tasks = 3;
    drawn.in_flight = 1 + i % 3;
    drawn.threads = 1 + i % 2;
    search::problem p = random_problem::draw(random, drawn);
    for (auto& t : p.tasks) t.weight *= 10;
    const search::solution plain = search::detail::find_best(p, {});
    if (!plain.found) continue;
    const search::solution found = search::solve(p);
    const worth before = of(p, plain.best);
    const worth after = of(p, found.best);
    CHECK(after.period == plain.period);
    CHECK(after.bytes == plain.bytes);
    CHECK(found.best.in_flight == plain.best.in_flight);
    const auto less = [](const worth& a, const worth& b) {
      return a.spare < b.spare || (a.spare == b.spare && a.hand_overs > b.hand_overs);
    };
    CHECK_FALSE(less(after, before));
    if (less(before, after)) ++better;
    worth most = before;
    random_problem::for_each_legal_answer(p, [&](const search::answer& a, search::evaluation& by) {
      if (a.in_flight != plain.best.in_flight || by.bytes() != before.bytes ||
          !(by.period() == before.period))
        return;
      if (const worth other = of(p, a); less(most, other)) most = other;
    });
    CHECK_FALSE(less(most, after));
    ++all;
    if (!less(after, most)) ++best;
  }
  CHECK(better > all / 20);
  CHECK(best >= all - all / 50);
}
