// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The best schedules, one after the other, held against all that there are.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstddef>
#include <map>
#include <random>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/search.hpp>
#include <string>
#include <utility>
#include <vector>
#include "../support/seed.hpp"
#include "random_schedule.hpp"
#include "rows.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace search = stretto::search;

using costs = st::planner::view<st::task_cost>;

/// Of each way to place three tasks on two threads at up to two lookaheads the shortest period,
/// in ascending order: threads of one name each way round.
std::vector<double> all_periods(const dynamic::schedule& s, costs times, search::limits within) {
  std::vector<double> all;
  const std::size_t tasks = s.tasks.size();
  const std::size_t ahead = static_cast<std::size_t>(within.in_flight);
  std::size_t ways = 1;
  for (std::size_t t = 0; t < tasks; ++t) ways *= 2 * ahead;
  for (std::size_t way = 0; way < ways; ++way) {
    dynamic::schedule placed = s;
    search::limits fixed = within;
    std::size_t rest = way;
    for (dynamic::task& t : placed.tasks) {
      t.thread = within.threads[rest % 2];
      rest /= 2;
      const auto lookahead = static_cast<int>(rest % ahead);
      rest /= ahead;
      fixed.lookaheads.push_back({t.name, lookahead, lookahead});
    }
    if (placed.tasks.front().thread != within.threads[0]) continue;  // the other way round
    try {
      all.push_back(search::find_schedule(placed, times, fixed).period.value());
    } catch (const st::usage_error&) {
      continue;  // who waits cannot be further ahead
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("the best schedules are those of all, in the order of their periods") {
  std::mt19937 random(seeds::first(31));
  std::uniform_int_distribution<int> weight(1, 20);
  for (std::size_t i = 0; i < 12; ++i) {
    const dynamic::schedule s = rows::row({weight(random), weight(random), weight(random)});
    const search::limits within{.in_flight = 3, .threads = {"a", "b"}};
    const std::vector<double> expected = all_periods(s, {}, within);
    const std::size_t count = expected.size() + 3;
    const auto found = search::find_schedules(s, {}, within, count);
    CAPTURE(i);
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(found[k].period.value() == expected[k]);
      const dynamic::planned_schedule planned(found[k].schedule);
      CHECK(st::bound_of(planned).period() == found[k].period);
      CHECK(found[k].least == found[0].least);
    }
    const auto few = search::find_schedules(s, {}, within, 5);
    REQUIRE(few.size() == 5);
    for (std::size_t k = 0; k < few.size(); ++k) CHECK(few[k].period == found[k].period);
  }
}

TEST_CASE("the first one is what is found alone, and each is another one") {
  std::mt19937 random(seeds::first(5));
  for (std::size_t i = 0; i < 10; ++i) {
    const auto made = random_schedule::random_case::valid(random, 6);
    const auto times = made.costs();
    const costs all(times.data(), times.size());
    const search::limits within{.in_flight = 3, .threads = {"x", "y"}};
    const auto found = search::find_schedules(made.schedule, all, within, 4);
    const auto again = search::find_schedules(made.schedule, all, within, 4);
    const auto alone = search::find_schedule(made.schedule, all, within);
    REQUIRE(!found.empty());
    REQUIRE(again.size() == found.size());
    CHECK(dynamic::planned_schedule(found[0].schedule).fingerprint() ==
          dynamic::planned_schedule(alone.schedule).fingerprint());
    for (std::size_t k = 0; k < found.size(); ++k) {
      const dynamic::planned_schedule planned(found[k].schedule);
      CHECK(st::bound_of(planned, all).period() == found[k].period);
      CHECK(planned.fingerprint() == dynamic::planned_schedule(again[k].schedule).fingerprint());
      if (k > 0) CHECK(!(found[k].period < found[k - 1].period));
      for (std::size_t other = 0; other < k; ++other)
        CHECK(planned.fingerprint() !=
              dynamic::planned_schedule(found[other].schedule).fingerprint());
    }
  }
  CHECK(search::find_schedules(rows::row({1}), {}, {}, 0).empty());
  CHECK(search::find_schedules(rows::row({1}), {}, {.in_flight = 1}, 3).size() == 1);
}
