// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which streams tasks are on, held against all ways to put them on some.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/search.hpp>
#include <string>
#include <tuple>
#include <vector>
#include "../support/seed.hpp"
#include "rows.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace search = stretto::search;

/// Tasks in a row on streams, which host threads launch.
dynamic::schedule on_streams(const std::vector<int>& weights,
                             const std::vector<std::string>& streams) {
  dynamic::schedule s = rows::row(weights);
  s.streams = {"copy", "compute", "more"};
  for (std::size_t t = 0; t < weights.size(); ++t) {
    s.tasks[t].stream = streams[t % streams.size()];
    s.tasks[t].thread = "launcher " + std::to_string(t);  // else the thread is what bounds
  }
  return s;
}

std::string stream_of(const search::found_schedule& found, const char* task) {
  return found.schedule.find(task)->stream;
}

}  // namespace

TEST_CASE("tasks of one stream are divided among those that are offered") {
  const dynamic::schedule s = on_streams({30, 20, 10}, {"compute"});
  const search::limits within{.in_flight = 4};
  CHECK(search::find_schedule(s, {}, within).period.value() == 60);
  const auto found = search::find_streams(s, {}, within, {"copy", "compute"});
  CHECK(found.period.value() == 30);
  CHECK(found.optimal());
  CHECK(stream_of(found, "t1") != stream_of(found, "t2"));
  CHECK(stream_of(found, "t2") == stream_of(found, "t3"));
  const dynamic::planned_schedule planned(found.schedule);
  CHECK(st::bound_of(planned).period().value() == 30);
}

TEST_CASE("what is frozen, or on no stream that is offered, stays on its own") {
  const dynamic::schedule s = on_streams({30, 20, 10}, {"compute", "more", "compute"});
  const search::limits within{.in_flight = 4, .frozen = {"t1"}};
  const auto found = search::find_streams(s, {}, within, {"copy", "compute"});
  CHECK(stream_of(found, "t1") == "compute");
  CHECK(stream_of(found, "t2") == "more");
  CHECK(stream_of(found, "t3") == "copy");
  CHECK(found.period.value() == 30);
}

TEST_CASE("what is found is the best of all ways, and what is proved holds of all") {
  std::mt19937 random(seeds::first(23));
  std::uniform_int_distribution<int> weight(1, 30);
  for (int i = 0; i < 15; ++i) {
    const dynamic::schedule s = on_streams(
        {weight(random), weight(random), weight(random), weight(random)}, {"copy", "compute"});
    const search::limits within{.in_flight = 1 + i % 3};
    std::tuple<double, std::int64_t, int> least{1e9, 0, 0};
    for (unsigned way = 0; way < 16; ++way) {
      dynamic::schedule one = s;
      for (unsigned t = 0; t < 4; ++t)
        one.tasks[t].stream = (way >> t) % 2 == 0 ? "copy" : "compute";
      const auto by_itself = search::find_schedule(one, {}, within);
      least = std::min(least, {by_itself.period.value(), by_itself.bytes, by_itself.in_flight});
    }
    const auto found = search::find_streams(s, {}, within, {"copy", "compute"});
    CAPTURE(i);
    CHECK(std::tuple(found.period.value(), found.bytes, found.in_flight) == least);
    CHECK(found.optimal());
    const dynamic::planned_schedule planned(found.schedule);
    CHECK(st::bound_of(planned).period() == found.period);
  }
}

TEST_CASE("of ways with the least period the one with the fewest bytes is found") {
  std::mt19937 random(seeds::first(41));
  std::uniform_int_distribution<int> weight(30, 45);
  std::size_t gained = 0;
  for (int i = 0; i < 12; ++i) {
    // The last task has a stream of its own, and bounds the period. The third one waits for its
    // turn behind the first one, so that what it reads is kept for longer.
    dynamic::schedule s = on_streams({weight(random), weight(random), weight(random), 90},
                                     {"copy", "compute", "copy", "more"});
    s.slot<std::array<char, 1000>>("s1").slot<std::array<char, 200>>("s2");
    s.slot<std::array<char, 3000>>("s3");
    const search::limits within{.in_flight = 4};
    using figures = std::tuple<double, std::int64_t, int>;
    figures least{1e9, 0, 0};
    for (unsigned way = 0; way < 8; ++way) {
      dynamic::schedule one = s;
      for (unsigned t = 0; t < 3; ++t)
        one.tasks[t].stream = (way >> t) % 2 == 0 ? "copy" : "compute";
      const auto by_itself = search::find_schedule(one, {}, within);
      least = std::min(least, {by_itself.period.value(), by_itself.bytes, by_itself.in_flight});
    }
    const auto as_it_is = search::find_schedule(s, {}, within);
    const auto found = search::find_streams(s, {}, within, {"copy", "compute"});
    CAPTURE(i);
    CHECK(figures(found.period.value(), found.bytes, found.in_flight) == least);
    gained += as_it_is.period == found.period && found.bytes < as_it_is.bytes ? 1 : 0;
  }
  CHECK(gained > 0);
}

TEST_CASE("of many ways those are looked at to which better ones lead") {
  std::vector<int> weights(10, 10);
  weights.back() = 30;
  const dynamic::schedule s = on_streams(weights, {"compute"});
  const auto found = search::find_streams(s, {}, {.in_flight = 12}, {"copy", "compute"});
  CHECK(found.period.value() == 60);
  CHECK(found.least.value() == 60);
  CHECK(found.text().find(
            "the least that it can: all streams that are offered are busy: `t1`, `t2`") !=
        std::string::npos);
}

TEST_CASE("how much a cost may change is told of all ways") {
  // 20 and 40 on one stream, 25 and 35 on the other.
  const dynamic::schedule s = on_streams({20, 25, 40, 35}, {"compute"});
  const search::limits within{.in_flight = 4};
  const std::vector<std::string> streams{"copy", "compute"};
  const auto found = search::find_streams(s, {}, within, streams);
  REQUIRE(found.period.value() == 60);
  REQUIRE(found.reason == search::proof::why::streams);
  for (const search::cost_range& r : search::cost_ranges(found))
    for (const long long cost : {r.least, r.most.value_or(r.cost + 50)}) {
      const st::task_cost other{r.task, cost};
      const dynamic::planned_schedule planned(found.schedule);
      CAPTURE(r.task);
      CAPTURE(cost);
      CHECK(search::find_streams(s, {other}, within, streams).period ==
            st::bound_of(planned, {other}).period());
    }
}

TEST_CASE("tasks that share state stay in their order") {
  dynamic::schedule s = on_streams({30, 30}, {"compute"});
  s.tasks[0].mutates = {"state"};
  s.tasks[1].mutates = {"state"};
  s.tasks[1].reads = {"s0"};
  const auto found = search::find_streams(s, {}, {.in_flight = 4}, {"copy", "compute"});
  const dynamic::planned_schedule planned(found.schedule);
  CHECK(found.period.value() == 60);  // one comes after the other, whatever stream they are on
  CHECK(st::bound_of(planned).period() == found.period);
}

TEST_CASE("an offer that is none is refused") {
  dynamic::schedule s = on_streams({3, 4}, {"compute"});
  const auto refused = [&](const std::vector<std::string>& streams, const char* why) {
    CHECK_THROWS_WITH_AS(static_cast<void>(search::find_streams(s, {}, {}, streams)),
                         doctest::Contains(why), st::usage_error);
  };
  refused({}, "a choice if two are offered");
  refused({"compute"}, "a choice if two are offered");
  refused({"compute", "compute"}, "the stream `compute` twice");
  refused({"compute", "fast"}, "`fast`, which the schedule does not declare");
  s.results_on = "compute";
  refused({"compute", "copy"}, "`compute`, in whose order results are handed out");
}
