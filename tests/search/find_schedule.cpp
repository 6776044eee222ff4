// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Schedules that are found for schedules that are values.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/search.hpp>
#include <stretto/search/schedule_problem.hpp>
#include <string>
#include <utility>
#include <vector>
#include "../support/seed.hpp"
#include "random_schedule.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace search = stretto::search;

using random_schedule::random_case;

}  // namespace

TEST_CASE("a schedule that is found has the period that was promised") {
  std::mt19937 random(seeds::first(7));
  std::size_t moved = 0;
  std::size_t faster = 0;
  const std::size_t all = 400;
  for (std::size_t i = 0; i < all; ++i) {
    const random_case drawn = random_case::valid(random, 9);
    const auto costs = drawn.costs();
    search::limits within;
    within.in_flight = 3;
    if (i % 2 == 0) within.threads = {"worker0", "worker1"};
    CAPTURE(i);
    const search::detail::schedule_problem asked(drawn.schedule, costs, within,
                                                 search::detail::kept::nothing);
    search::effort how;
    how.known = asked.known(drawn.schedule);
    if (within.threads.empty()) {
      REQUIRE(how.known.size() == 1);
      const search::evaluation as_it_is(asked.asked(), how.known[0]);
      REQUIRE(static_cast<int>(as_it_is.wrong()) == 0);
      const dynamic::planned_schedule planned(drawn.schedule);
      CHECK(as_it_is.period() == st::bound_of(planned, costs).period());
    }
    const search::solution solved = search::solve(asked.asked(), how);
    REQUIRE(solved.found);
    const dynamic::schedule edited = asked.edited(drawn.schedule, solved.best);
    CHECK(solved.optimal());
    if (dynamic::diagnose(edited).ok()) {
      const dynamic::planned_schedule planned(edited);
      CHECK(st::bound_of(planned, costs).period() == solved.period);
      CHECK(static_cast<int>(planned.in_flight()) == solved.best.in_flight);
      ++moved;
    } else {
      // Nothing but what tasks share may be left in no order.
      for (const std::string& what : dynamic::diagnose(edited).sentences(edited))
        CHECK_MESSAGE(what.find("weights") != std::string::npos, what);
    }
    const search::found_schedule found = search::find_schedule(drawn.schedule, costs, within);
    const dynamic::planned_schedule planned(found.schedule);
    const st::plan_bound bound = st::bound_of(planned, costs);
    CHECK(bound.period() == found.period);
    CHECK(!(found.period < found.least));
    double spare = 0;
    double tenths = 0;
    for (const dynamic::task& t : found.schedule.tasks) {
      const double tenth = static_cast<double>(bound.time_of(t.name)) / 10;
      spare += std::min(bound.spare(t.name).value(), tenth);
      tenths += tenth;
    }
    REQUIRE(found.spare);
    CHECK(found.spare->value() == doctest::Approx(tenths > 0 ? spare / tenths : 1));
    if (within.threads.empty()) {
      const dynamic::planned_schedule before(drawn.schedule);
      CHECK(!(st::bound_of(before, costs).period() < found.period));
      if (found.period < st::bound_of(before, costs).period()) ++faster;
    }
  }
  CHECK(moved > all / 2);
  CHECK(faster >= all / 8);
}

namespace {

/// Two host tasks, with nothing said of threads: on the thread `host`.
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

std::string refused(const dynamic::schedule& s, const search::limits& within,
                    const std::vector<st::task_cost>& costs = {{"read", 3}, {"train", 5}}) {
  try {
    search::find_schedule(s, costs, within);
  } catch (const st::usage_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a schedule whose tasks take no time is found, too") {
  const std::vector<st::task_cost> costs{{"read", 0}, {"train", 0}, {"pull", 0}};
  search::limits within;
  within.in_flight = 3;
  for (const bool with_threads : {false, true}) {
    if (with_threads) within.threads = {"worker0", "worker1"};
    const search::found_schedule found = search::find_schedule(pair(), costs, within);
    CHECK(found.period == st::planner::ratio{0, 1});
    const dynamic::planned_schedule planned(found.schedule);
    CHECK(st::bound_of(planned, costs).period() == found.period);
  }
}

TEST_CASE("what is found keeps to its limits, and says what is proved") {
  search::limits within;
  within.in_flight = 2;
  const std::vector<st::task_cost> costs{{"read", 3}, {"train", 5}};
  search::found_schedule found = search::find_schedule(pair(), costs, within);
  CHECK(found.period.value() == 8);
  CHECK(found.optimal());
  CHECK(found.reason == search::proof::why::thread);
  CHECK(found.busy == "host");
  CHECK(found.because == std::vector<std::string>{"read", "train"});
  CHECK(
      found.text().find(
          "a progress takes 8, the least that it can on these threads: the thread is busy, `host`: "
          "`read`, `train`\n") == 0);

  within.threads = {"a", "b"};
  found = search::find_schedule(pair(), costs, within);
  CHECK(found.period.value() == 5);
  CHECK(found.schedule.at("read").thread != found.schedule.at("train").thread);
  CHECK(found.in_flight == 2);
  CHECK(found.reason == search::proof::why::task);
  CHECK(found.because == std::vector<std::string>{"train"});
  CHECK(found.bytes > 0);
  CHECK(found.bytes == found.least_bytes);
  CHECK(found.hand_overs == 3);  // the source's, between the two, and the result's
  REQUIRE(found.spare);
  CHECK(*found.spare == st::planner::ratio{3, 8});
  CHECK(
      found.text().ends_with("\n3 hand-overs between threads; of a tenth that a task may take "
                             "longer, 37 % is to spare\n"));

  // With a copy less, each waits for the other.
  within.bytes = found.bytes - 1;
  CHECK(search::find_schedule(pair(), costs, within).period.value() > 5);
  within.bytes = 0;
  within.frozen = {"read"};
  found = search::find_schedule(pair(), costs, within);
  CHECK(found.schedule.at("read").thread.empty());
  CHECK(found.schedule.at("read").lookahead == 0);
  CHECK(found.schedule.at("train").thread != "");
  within.frozen = {};
  within.lookaheads = {{"read", 1, 1}};
  CHECK(search::find_schedule(pair(), costs, within).schedule.at("read").lookahead == 1);
}

TEST_CASE("a thread that has several of more tasks than there are threads is said to bound") {
  dynamic::schedule s = pair();
  s.tasks.push_back(s.tasks[0]);
  s.tasks.back().name = "count";
  s.tasks.back().writes.clear();
  search::limits within;
  within.in_flight = 3;
  within.threads = {"a", "b"};
  const search::found_schedule found =
      search::find_schedule(s, {{"read", 6}, {"train", 7}, {"count", 6}}, within);
  CHECK(found.period.value() == 12);
  CHECK(found.optimal());
  CHECK(found.reason == search::proof::why::crowd);
  CHECK(found.share == 2);
  CHECK(found.text().starts_with(
      "a progress takes 12, the least that it can on these threads: a thread has 2 of "
      "these tasks at least: `train`, `read`, `count`\n"));
}

TEST_CASE("limits that nothing keeps, and those of what there is not, are refused in a sentence") {
  search::limits within;
  within.in_flight = 2;
  CHECK(refused(pair(), within) == "");
  within.frozen = {"raed"};
  CHECK(refused(pair(), within) == "limits name the task `raed`, which there is not");
  within.frozen = {};
  within.lookaheads = {{"train", 1, 0}};
  CHECK(refused(pair(), within) ==
        "limits of the lookahead of `train` leave none that it could have");
  within.lookaheads = {{"train", 1, 1}, {"read", 0, 0}};
  CHECK(refused(pair(), within) ==
        "nothing keeps to the limits: 2 batches in flight, and what tasks' lookaheads may be");
  within.lookaheads = {};
  within.bytes = 1;
  CHECK(refused(pair(), within).find("one copy of each slot takes ") == 0);
  within.bytes = -1;
  CHECK(refused(pair(), within) == "there cannot be fewer than 0 bytes");
  within.bytes = 0;
  within.in_flight = -1;
  CHECK(refused(pair(), within) == "there cannot be fewer than 0 batches in flight");
  within.in_flight = 2;
  within.threads = {"caller"};
  CHECK(
      refused(pair(), within).find("limits offer tasks the thread `caller`, which pulls batches") ==
      0);
  within.threads = {};
  CHECK(refused(pair(), within, {{"reed", 3}}) == "task `reed` is not one of this plan");
  CHECK(refused(pair(), within, {{"read", 1'000'000'000'000'000}}) ==
        "costs are too large in all: tell them in a larger unit");
  CHECK(refused(pair(), within, {{"pull", (std::numeric_limits<long long>::max)()}}) ==
        "costs are too large in all: tell them in a larger unit");
  within.threads = {""};
  CHECK(refused(pair(), within) == "limits offer tasks a thread without a name");
  within.threads = {"a", "b", "a"};
  CHECK(refused(pair(), within) == "limits offer tasks the thread `a` twice; name it once");
  within.threads = {};
  within.lookaheads = {{"read", 0, 0}, {"read", 1, 1}};
  CHECK(refused(pair(), within) == "limits name the lookahead of `read` twice");
  within.lookaheads = {{"read", 1, 1}};
  within.frozen = {"read"};
  CHECK(refused(pair(), within) == "task `read` stays at lookahead 0, which the limits leave out");
  within.lookaheads = {};
  within.frozen = {};
  dynamic::schedule s = pair();
  s.serial = true;
  CHECK(refused(s, within).find("a serial schedule does one batch after the other") == 0);
  s = pair();
  s.at("train").role = "trainer";
  CHECK(refused(s, within).find("schedule `schedule` differs by rank, and schedules are looked for "
                                "that all ranks run alike") == 0);
  s = pair();
  s.groups = {{"host", 2, 1}};
  CHECK(refused(s, within).find("thread group `host` has a queue or workers") == 0);
  s = pair();
  s.tasks[1].every = 4;
  s.results = {};
  CHECK(refused(s, within).find("task `train` does not run for every batch") == 0);
  s = pair();
  s.generated = 2;
  CHECK(refused(s, within).find("the schedule leaves its threads to be generated") == 0);
  s = pair();
  s.types.clear();
  within.bytes = 1000;
  CHECK(refused(s, within).find("the limits bound bytes, but of no slot is it known") == 0);
  within.bytes = 0;
  s = pair();
  s.tasks[1].reads = {"imgae"};
  CHECK_THROWS_AS(search::find_schedule(s, {}, within), dynamic::schedule_error);
}

namespace {

/// `optimizer` changes weights before `score` looks at them, on one thread and so in that order.
dynamic::schedule sharing() {
  dynamic::schedule s;
  s.source.slot = "in";
  s.results = {"out"};
  const auto task = [&](const char* name, const char* reads, const char* writes, int lookahead) {
    dynamic::task& t = s.tasks.emplace_back();
    t.name = name;
    t.reads = {reads};
    t.writes = {writes};
    t.lookahead = lookahead;
    t.thread = "worker";
    return s.tasks.size() - 1;
  };
  s.tasks[task("optimizer", "in", "loss", 0)].mutates = {"weights"};
  s.tasks[task("score", "in", "seen", 0)].observes = {"weights"};
  s.tasks[task("send", "seen", "out", 0)].thread = "sender";
  task("log", "loss", "logged", 0);
  return s;
}

}  // namespace

TEST_CASE("who shares state does so in the order that it did") {
  const std::vector<st::task_cost> costs{
      {"optimizer", 10}, {"score", 10}, {"send", 25}, {"log", 1}};
  search::limits within;
  for (within.in_flight = 1; within.in_flight < 5; ++within.in_flight) {
    const search::found_schedule found =
        search::find_schedule(sharing(), {costs.data(), costs.size()}, within);
    const dynamic::planned_schedule planned(found.schedule);
    const auto place = [&](const char* task) {
      const auto& order = planned.plan().order;
      return std::find(order.begin(), order.end(), planned.node(task)) - order.begin();
    };
    CHECK(found.schedule.at("optimizer").lookahead == found.schedule.at("score").lookahead);
    CHECK(place("optimizer") < place("score"));
    CHECK(st::bound_of(planned, {costs.data(), costs.size()}).period() == found.period);
  }
}

TEST_CASE("what is proved counts the threads on which tasks stay, though they are not offered") {
  // One thread is offered, but tasks that share state stay on `host`, for their order to stay.
  dynamic::schedule s = sharing();
  for (dynamic::task& t : s.tasks) t.thread.clear();
  s.tasks[1].lookahead = 1;
  const std::vector<st::task_cost> costs{{"optimizer", 6}, {"score", 6}, {"send", 6}, {"log", 6}};
  search::limits within;
  within.threads = {"only"};
  for (within.in_flight = 2; within.in_flight < 4; ++within.in_flight) {
    const search::found_schedule found =
        search::find_schedule(s, {costs.data(), costs.size()}, within);
    CHECK(found.schedule.at("score").thread.empty());
    CHECK(found.schedule.at("send").thread == "only");
    CHECK(found.period.value() == 12);
    CHECK(!(found.period < found.least));
  }
}

TEST_CASE("what is pipelined may have as many batches in flight as it has") {
  dynamic::schedule s = pair();
  for (dynamic::task& t : s.tasks) t.thread = t.name;
  s.pipelined = true;
  const dynamic::planned_schedule planned(s);
  const auto before = st::bound_of(planned).period();
  CHECK_FALSE(before < search::find_schedule(s).period);
}

TEST_CASE("more batches than there can be use of change nothing") {
  const std::vector<st::task_cost> costs{{"read", 3}, {"train", 4}};
  search::limits within;
  within.threads = {"a", "b"};
  within.in_flight = 3;
  const auto few = search::find_schedule(pair(), {costs.data(), costs.size()}, within);
  for (const int many : {1'000, 200'000, (std::numeric_limits<int>::max)()}) {
    within.in_flight = many;
    const auto found = search::find_schedule(pair(), {costs.data(), costs.size()}, within);
    CHECK(found.period == few.period);
    CHECK(found.in_flight == few.in_flight);
    CHECK(found.bytes == few.bytes);
  }
}
