// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The original engine's beam search.

#include <doctest/doctest.h>
#include <cstddef>
#include <random>
#include <stretto/dynamic.hpp>
#include <stretto/search.hpp>
#include <stretto/search/thread_maps.hpp>
#include <string>
#include <vector>
#include "../support/seed.hpp"
#include "random_problem.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace search = stretto::search;
using search::number;

/// Four stages, each for the next, on any of two threads.
search::problem stages() {
  search::problem p;
  p.threads = 2;
  p.in_flight = 2;
  for (const int weight : {3, 3, 2, 4}) p.tasks.push_back({weight});
  for (number t = 1; t < 4; ++t) p.arcs.push_back({t - 1, t, 0});
  return p;
}

std::string refused(const search::beam& how) {
  try {
    search::beam_search(stages(), {}, how);
  } catch (const st::usage_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("thread maps that a beam search starts from") {
  search::problem p = stages();
  p.tasks.push_back({7, false});
  p.tasks.push_back({6, true, 1});
  const search::detail::thread_maps maps(p);
  using threads = std::vector<number>;
  const number none = search::no_number;
  CHECK(maps.free() == threads{0, 1, 2, 3});
  CHECK(maps.stages(1) == threads{0, 0, 0, 0, none, 1});
  CHECK(maps.stages(2) == threads{0, 0, 1, 1, none, 1});
  CHECK(maps.greedy({0, 1, 2, 3, 4, 5}) == threads{0, 0, 0, 1, none, 1});
  p.resources = 3;
  p.tasks[1].on = {2};
  p.tasks[2].on = {1};
  CHECK(search::detail::thread_maps(p).by_stream() == threads{0, 0, 1, 0, none, 1});
  for (search::problem::task& t : p.tasks) t.weight = 0;
  CHECK(search::detail::thread_maps(p).stages(2) == threads{0, 0, 0, 0, none, 1});
}

TEST_CASE("stages are put on threads, and lookaheads let them overlap") {
  const search::solution found = search::beam_search(stages());
  REQUIRE(found.found);
  CHECK(found.period.value() == 6);
  CHECK(found.optimal());
  CHECK(found.best.in_flight == 2);
  CHECK(found.best.thread == std::vector<number>{0, 0, 1, 1});
}

TEST_CASE(
    "what a beam search finds is legal, is found again, and is no better than what there is") {
  std::mt19937 random(seeds::first(5));
  std::size_t found = 0;
  std::size_t worse = 0;
  const std::size_t all = 300;
  for (std::size_t i = 0; i < all; ++i) {
    CAPTURE(i);
    const search::problem p = random_problem::draw(random, {8, 2, 2, 2, i % 2 == 0});
    const search::solution by = search::beam_search(p);
    const search::solution best = search::solve(p);
    CHECK((!by.none || best.none));
    if (!by.found) continue;
    ++found;
    const search::evaluation now(p, by.best);
    REQUIRE(now.wrong() == search::illegal::no);
    CHECK(now.period() == by.period);
    CHECK(now.bytes() == by.bytes);
    REQUIRE(best.found);
    CHECK(!(by.period < best.period));
    CHECK(!(by.period < by.least));
    CHECK(!(best.least < by.least));
    if (best.better_than(by)) ++worse;
    const search::solution again = search::beam_search(p);
    CHECK(again.best.order == by.best.order);
    CHECK(again.best.thread == by.best.thread);
    CHECK(again.best.lookahead == by.best.lookahead);
    // Who is frozen or pinned stays.
    for (number t = 0; t < p.tasks.size(); ++t) {
      if (p.tasks[t].least == p.tasks[t].most) CHECK(by.best.lookahead[t] == p.tasks[t].least);
      if (p.tasks[t].thread != search::no_number) CHECK(by.best.thread[t] == p.tasks[t].thread);
    }
  }
  CHECK(found > all / 2);
  CHECK(worse > all / 4);
}

TEST_CASE("a wider beam, or a longer one, scores more candidates") {
  std::mt19937 random(seeds::first(8));
  std::size_t shorter = 0;
  std::size_t longer = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const search::problem p = random_problem::draw(random, {14, 3, 1, 3, false});
    search::beam how;
    how.scored = 1;
    const search::solution one = search::beam_search(p, {}, how);
    how = {1, 1, 1, 0};
    const search::solution narrow = search::beam_search(p, {}, how);
    const search::solution wide = search::beam_search(p);
    if (!one.found || !narrow.found || !wide.found) continue;
    CHECK(!(narrow.period < wide.period));
    if (wide.period < narrow.period) ++shorter;
    if (narrow.period < one.period) ++longer;
  }
  CHECK(shorter > 5);
  CHECK(longer > 5);
}

TEST_CASE("if no candidate with assigned lookaheads is legal, the least ones are taken") {
  search::problem p = stages();
  for (number t = 0; t < 4; ++t) p.slot_list.push_back({1, t == 0 ? p.pull() : t - 1, {{t, 0}}});
  p.bytes = 4;
  const search::solution found = search::beam_search(p);
  REQUIRE(found.found);
  CHECK(found.bytes == 4);
  p.bytes = 3;
  CHECK(search::beam_search(p).none);
  // A frozen task that cannot wait for what comes later.
  p = stages();
  p.tasks[0].least = p.tasks[0].most = 0;
  p.tasks[3].least = p.tasks[3].most = 1;
  CHECK(search::beam_search(p).none);
}

TEST_CASE("what is no beam is refused in a sentence") {
  search::beam how;
  CHECK(refused(how) == "");
  how.width = 0;
  CHECK(refused(how) ==
        "a beam search with a width of 0 goes on with no candidate: the least is 1");
  how = {};
  how.width = -3;
  CHECK(refused(how) ==
        "a beam search with a width of -3 goes on with no candidate: the least is 1");
  how = {};
  how.rounds = 0;
  CHECK(refused(how) ==
        "a beam search with a number of rounds of 0 looks at nothing: the least is 1");
  how = {};
  how.patience = 0;
  CHECK(refused(how) ==
        "a beam search with a patience of 0 ends before its first round: the least is 1");
  how = {};
  how.scored = -1;
  CHECK(refused(how) == "a beam search cannot score fewer than 0 candidates");
}

namespace {

/// Two host tasks that name no thread.
dynamic::schedule pair() {
  dynamic::schedule s;
  s.source.slot = "file";
  s.results = {"loss"};
  s.tasks.resize(2);
  s.tasks[0].name = "read";
  s.tasks[0].reads = {"file"};
  s.tasks[0].writes = {"image"};
  s.tasks[1].name = "train";
  s.tasks[1].reads = {"image"};
  s.tasks[1].writes = {"loss"};
  s.slot<int>("file").slot<int>("image").slot<int>("loss");
  return s;
}

}  // namespace

TEST_CASE("a beam search of a schedule begins with its lookaheads, or by depth if it has none") {
  const std::vector<st::task_cost> costs{{"read", 3}, {"train", 5}};
  search::limits within;
  within.in_flight = 3;
  within.threads = {"a", "b"};
  search::found_schedule found = search::beam_search(pair(), costs, within);
  CHECK(found.period.value() == 5);
  CHECK(found.in_flight == 3);  // its rings are as deep as they may be
  CHECK(found.schedule.at("read").thread != found.schedule.at("train").thread);
  CHECK(found.text().find("a progress takes 5, the least that it can") == 0);
  dynamic::schedule ahead = pair();
  ahead.tasks[0].lookahead = 1;
  found = search::beam_search(ahead, costs, within);
  CHECK(found.in_flight == 2);
  CHECK(search::find_schedule(ahead, costs, within).bytes < found.bytes);
  within.frozen = {"read"};
  found = search::beam_search(ahead, costs, within);
  CHECK(found.schedule.at("read").lookahead == 1);
  CHECK(found.schedule.at("read").thread.empty());
  within.frozen = {"raed"};
  CHECK_THROWS_WITH_AS(search::beam_search(ahead, costs, within),
                       "limits name the task `raed`, which there is not", st::usage_error);
  within.frozen = {};
  search::beam how;
  how.width = 0;
  CHECK_THROWS_AS(search::beam_search(ahead, costs, within, how), st::usage_error);
}
