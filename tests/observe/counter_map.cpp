// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <cstdint>
#include <limits>
#include <random>
#include <stretto/observe/counter_map.hpp>
#include <vector>
#include "../support/seed.hpp"

using namespace std::chrono_literals;
using stretto::observe::detail::counter_anchor;
using stretto::observe::detail::counter_map;
using time_point = counter_map::clock::time_point;

namespace {

constexpr time_point begun{std::chrono::hours(1)};
time_point after(std::chrono::nanoseconds t) { return begun + t; }

}  // namespace

TEST_CASE("between two anchors the counter goes evenly") {
  // Three counts per nanosecond.
  const counter_map map({{1'000, begun}, {30'001'000, after(10ms)}});
  CHECK(map.time_of(1'000) == begun);
  CHECK(map.time_of(15'001'000) == after(5ms));
  CHECK(map.time_of(30'001'000) == after(10ms));
  CHECK(map.time_of(4'000) == after(1us));
  CHECK(map.time_of(1'002) == begun);  // no time that is yet to come
}

TEST_CASE("before the first anchor and after the last it goes on as near them") {
  const counter_map map({{1'000'000, begun}, {3'000'000, after(2ms)}, {4'000'000, after(4ms)}});
  CHECK(map.time_of(990'000) == after(-10us));
  CHECK(map.time_of(4'500'000) == after(5ms));
}

TEST_CASE(
    "anchors come in any order, and each holds: a clock that was made to go faster or slower") {
  const counter_map map({{40'000'000, after(50ms)}, {0, begun}, {20'000'000, after(20ms)}});
  CHECK(map.time_of(10'000'000) == after(10ms));
  CHECK(map.time_of(20'000'000) == after(20ms));
  CHECK(map.time_of(30'000'000) == after(35ms));
}

TEST_CASE("of anchors that are close to each other one tells, and the last one always does") {
  // 40 ns off, 100 ns after another: a rate of 1.4.
  const counter_map map({{0, begun}, {100, after(140ns)}, {10'000'000, after(10ms)}});
  CHECK(map.time_of(100) == after(100ns));
  const counter_map to_last(
      {{0, begun}, {10'000'000, after(10ms)}, {10'000'100, after(10ms + 140ns)}});
  CHECK(to_last.time_of(10'000'100) == after(10ms + 140ns));
  CHECK(to_last.time_of(10'000'000) < after(10ms + 140ns));
  CHECK(to_last.time_of(11'000'100) < after(11ms + 200ns));
}

TEST_CASE("a short run has only anchors that are close to each other") {
  const counter_map map({{500, begun}, {2'500, after(1us)}});
  CHECK(map.time_of(1'500) == after(500ns));
}

TEST_CASE("one anchor, several at one count, and none") {
  CHECK(counter_map({{7, begun}}).time_of(100) == begun);
  CHECK(counter_map({{7, begun}, {7, after(1s)}}).time_of(7) == begun);
  CHECK(counter_map({}).time_of(7) == time_point{});
}

TEST_CASE("an anchor that is off does not take time back") {
  const counter_map map({{0, after(20ns)}, {100, after(10ns)}});
  CHECK(map.time_of(100) == after(20ns));
  CHECK(map.time_of(50) == after(20ns));
}

TEST_CASE("counts of a processor that has run for years") {
  constexpr std::uint64_t years = std::numeric_limits<std::uint64_t>::max() - 100'000'000'000;
  const counter_map map({{years, begun}, {years + 50'000'000'000, after(20s)}});
  CHECK(map.time_of(years + 25'000'000'000) == after(10s));
  CHECK(map.time_of(years + 99'000'000'000) == after(39600ms));
}

TEST_CASE("what comes later has no earlier time, and is as far off as the anchors are") {
  std::mt19937_64 dice(seeds::first(7));
  const auto up_to = [&](std::uint64_t most) { return dice() % (most + 1); };
  for (int round = 0; round < 200; ++round) {
    const double rate = 0.2 + static_cast<double>(up_to(1000)) / 200;  // counts per nanosecond
    const auto count_at = [&](std::int64_t t) {
      return 123'456'789 + static_cast<std::uint64_t>(rate * static_cast<double>(t));
    };
    std::vector<counter_anchor> anchors;
    std::int64_t t = 0;
    constexpr std::int64_t off = 50;
    for (std::uint64_t left = 2 + up_to(20); left > 0; --left) {
      const auto error = static_cast<std::int64_t>(up_to(2 * off)) - off;
      anchors.push_back({count_at(t), after(std::chrono::nanoseconds(t + error))});
      t += static_cast<std::int64_t>(up_to(round % 2 == 0 ? 300 : 30'000'000)) + 1;
    }
    const std::int64_t last = (anchors.back().time - begun).count() - off;
    const counter_map map(anchors);
    time_point before{};
    std::int64_t at = 0;
    for (int i = 0; i < 300; ++i) {
      const time_point found = map.time_of(count_at(at));
      CHECK(found >= before);
      before = found;
      if (at <= last) {
        const std::int64_t error = (found - begun).count() - at;
        CHECK(error <= off + 1);
        CHECK(error >= -off - 7);  // a count is up to five nanoseconds
      }
      at += static_cast<std::int64_t>(up_to(static_cast<std::uint64_t>(t / 100 + 1)));
    }
  }
}
