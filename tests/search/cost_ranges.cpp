// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How much costs may change before another schedule is better.

#include <doctest/doctest.h>
#include <random>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/search.hpp>
#include <string>
#include <vector>
#include "../support/seed.hpp"
#include "random_schedule.hpp"
#include "rows.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace search = stretto::search;

}  // namespace

TEST_CASE("costs may change as long as the same task bounds") {
  const dynamic::schedule s = rows::row({300, 250, 420});
  const auto found = search::find_schedule(s, {}, rows::threads({"a", "b", "c"}));
  REQUIRE(found.period.value() == 420);
  const auto ranges = search::cost_ranges(found);
  REQUIRE(ranges.size() == 3);
  CHECK(search::to_text(ranges) ==
        "`t1` takes 300: the plan stays the best from 0 to 420\n"
        "`t2` takes 250: the plan stays the best from 0 to 420\n"
        "`t3` takes 420: the plan stays the best from 300 on\n");
}

TEST_CASE("ranges say whether they hold all that a task took") {
  const dynamic::schedule s = rows::row({300, 250, 420});
  const std::vector<st::task_cost> costs{
      {"t1", 300, 290, 430}, {"t2", 250, 240, 420}, {"t3", 420, 300, 900}};
  const st::planner::view<st::task_cost> all(costs.data(), costs.size());
  const auto found = search::find_schedule(s, all, rows::threads({"a", "b", "c"}));
  CHECK(
      search::to_text(search::cost_ranges(found, all)) ==
      "`t1` takes 300, mostly 290 to 430: the plan stays the best from 0 to 420; not for all that "
      "it took\n"
      "`t2` takes 250, mostly 240 to 420: the plan stays the best from 0 to 420\n"
      "`t3` takes 420, mostly 300 to 900: the plan stays the best from 300 on\n");
}

TEST_CASE("a task that takes as long as all threads may is what bounds") {
  // 550 on two threads, each of them some multiple of 50: no thread can be done before 300.
  const auto found = search::find_schedule(rows::row({300, 250}), {}, rows::threads({"a", "b"}));
  REQUIRE(found.reason == search::proof::why::task);
  CHECK(search::to_text(search::cost_ranges(found)) ==
        "`t1` takes 300: the plan stays the best from 250 on\n"
        "`t2` takes 250: the plan stays the best from 0 to 300\n");
}

TEST_CASE("where one of several tasks bounds, each of them may take longer, but not less") {
  const auto found = search::find_schedule(rows::row({7, 6, 6}), {}, rows::threads({"a", "b"}));
  REQUIRE(found.reason == search::proof::why::crowd);
  REQUIRE(found.period.value() == 12);
  const auto ranges = search::cost_ranges(found);
  REQUIRE(ranges.size() == 3);
  for (const search::cost_range& r : ranges) {
    CHECK(r.least == r.cost);  // of 3, 6 and 6 two would take 9
    CHECK(r.most == (r.task == "t1" ? 12 : 6));
  }
}

TEST_CASE("where a batch ends before the next one begins, all that it takes bounds") {
  const auto found =
      search::find_schedule(rows::row({300, 250}), {}, {.in_flight = 1, .threads = {"a", "b"}});
  REQUIRE(found.reason == search::proof::why::cycle);
  REQUIRE(found.period.value() == 550);
  CHECK(search::to_text(search::cost_ranges(found)) ==
        "`t1` takes 300: the plan stays the best from 0 on\n"
        "`t2` takes 250: the plan stays the best from 0 on\n");
}

TEST_CASE("of what is not proved nothing is said") {
  auto found = search::find_schedule(rows::row({300, 250}), {}, rows::threads({"a", "b"}));
  found.least = {299, 1};
  CHECK(search::cost_ranges(found).empty());
  CHECK(search::to_text({}).empty());
  CHECK(search::to_text({{"t", 4, 4, 4}}) ==
        "`t` takes 4: the plan stays the best only for that, as far as is proved\n");
}

TEST_CASE("within its range of costs no other schedule is faster") {
  std::mt19937 random(seeds::first(17));
  std::size_t wide = 0;
  std::size_t all = 0;
  for (std::size_t i = 0; i < 120; ++i) {
    CAPTURE(i);
    const auto drawn = random_schedule::random_case::valid(random, 6);
    const auto costs = drawn.costs();
    search::limits within;
    within.in_flight = 3;
    if (i % 2 == 0) within.threads = {"worker0", "worker1"};
    const search::found_schedule found = search::find_schedule(drawn.schedule, costs, within);
    const dynamic::planned_schedule planned(found.schedule);
    for (const search::cost_range& r : search::cost_ranges(found, costs)) {
      CAPTURE(r.task);
      CHECK(r.least <= r.cost);
      if (r.most) CHECK(*r.most >= r.cost);
      ++all;
      if (r.least < r.cost || !r.most || *r.most > r.cost) ++wide;
      const long long far = r.most ? *r.most : 3 * r.cost + 100;
      for (const long long cost : {r.least, (r.least + r.cost) / 2, (r.cost + far) / 2, far}) {
        CAPTURE(cost);
        std::vector<st::task_cost> changed;
        for (const st::task_cost& c : costs)
          if (c.task != r.task) changed.push_back(c);
        changed.push_back({r.task, cost});
        const auto now = st::bound_of(planned, changed).period();
        CHECK_FALSE(search::find_schedule(drawn.schedule, changed, within).period < now);
      }
    }
  }
  CHECK(wide > all / 4);
}
