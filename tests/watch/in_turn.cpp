// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Runs that are measured against each other, by clocks of their own.

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <ranges>
#include <stretto/dynamic.hpp>
#include <stretto/stretto.hpp>
#include <stretto/watch.hpp>
#include <string>
#include <vector>

namespace st = stretto;

namespace {

using seconds = st::measured_times::seconds;

struct number : st::slot<int> {};
struct square : st::slot<int> {};
struct squaring {
  void operator()(st::in<number> in, st::out<square> out) const { *out = *in * *in; }
};
struct squares : st::schedule<st::source<number>, st::result<square>, squaring> {};

/// Time passes when results come, as much before each as it says.
struct result_clock {
  using duration = std::chrono::seconds;
  using time_point = std::chrono::time_point<result_clock, duration>;
  static inline int passed = 0;
  static time_point now() { return time_point(duration(passed)); }
};

}  // namespace

TEST_CASE("of several that run in turn, each has the middle of its rounds") {
  std::string order;
  const std::vector<double> of_a{90, 5, 1, 3, 2, 4};  // the first round does not count
  const std::vector<double> of_b{0, 7, 7, 7, 7, 7};
  std::size_t a = 0;
  std::size_t b = 0;
  const auto found = st::measure_in_turn(5, {[&] {
                                               order += 'a';
                                               return seconds(of_a[a++]);
                                             },
                                             [&] {
                                               order += 'b';
                                               return seconds(of_b[b++]);
                                             }});
  CHECK(order == "abbaabbaabba");
  REQUIRE(found.size() == 2);
  CHECK(found[0].median.count() == 3);
  CHECK(found[0].low.count() == 2);
  CHECK(found[0].high.count() == 4);
  CHECK(found[1].median.count() == 7);
  CHECK(!found[0].alike(found[1]));
  CHECK(found[0].alike(found[0]));
  std::size_t c = 1;
  const auto even = st::measure_in_turn(2, {[&] { return seconds(static_cast<double>(c++)); }});
  CHECK(even[0].median.count() == 2.5);
  CHECK(st::measure_in_turn(1, {}).empty());
  CHECK_THROWS_AS(st::measure_in_turn(0, {}), st::usage_error);
}

TEST_CASE("what is told apart has no time in common") {
  const auto from_to = [](double low, double high) {
    return st::measured_times{seconds((low + high) / 2), seconds(low), seconds(high)};
  };
  CHECK(from_to(1, 2).alike(from_to(2, 3)));
  CHECK(from_to(2, 3).alike(from_to(1, 2)));
  CHECK(from_to(1, 9).alike(from_to(2, 3)));
  CHECK(!from_to(1, 2).alike(from_to(2.5, 3)));
  CHECK(!from_to(2.5, 3).alike(from_to(1, 2)));
}

TEST_CASE("a time per result is that between results, whatever pipeline they are of") {
  const auto results = std::views::iota(0, 10) |
                       std::views::transform([](int r) { return result_clock::passed += r; });
  CHECK(st::time_per_result<result_clock>(results, 4).count() == 7);  // of 5 to 9
  st::pipeline<squares> pipeline;
  CHECK(st::time_per_result(pipeline.run(std::views::iota(0, 10)), 2).count() >= 0);
  CHECK_THROWS_WITH_AS(st::time_per_result(std::views::iota(0, 4), 3),
                       doctest::Contains("of 4 results 3 do not count"), st::usage_error);
  CHECK(st::time_per_result(std::views::iota(0, 5), 3).count() >= 0);
}
