// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <stretto/report/measured_period.hpp>
#include <string_view>
#include <vector>

namespace st = stretto;

namespace {

/// Batches that take 10 microseconds each, except the first \p slow, which take 1,000.
st::timeline run_of(std::size_t batches, std::size_t slow, std::size_t from = 0) {
  st::timeline record;
  const std::vector<std::string_view> threads{"caller"};
  const std::vector<std::string_view> tasks{"work", "pull", "deliver"};
  record.attached(threads, tasks);
  const auto at = [](std::size_t us) {
    return st::timeline::clock::time_point(std::chrono::microseconds(us));
  };
  std::size_t now = 7;
  for (std::size_t b = 0; b < batches; ++b) {
    const std::size_t took = b < slow ? 1000 : 10;
    record.add(0, {0, from + b, at(now), at(now + took)});
    now += took;
  }
  record.add(0, {1, from + batches, at(now), at(now + 100'000)});  // the source ends, late
  return record;
}

}  // namespace

TEST_CASE("the period is that of the batches in the middle") {
  for (const std::size_t from : {0U, 1'000'000U}) {
    const auto found = st::report::detail::find_measured_period(run_of(100, 20, from));
    REQUIRE(found.known());
    CHECK(found.time.count() == doctest::Approx(10e-6));
    CHECK(found.first == from + 25);
    CHECK(found.batches == 49);
  }
}

TEST_CASE("of too few batches, and of none, it is not known") {
  for (const std::size_t batches : {0U, 1U}) {
    CHECK_FALSE(st::report::detail::find_measured_period(run_of(batches, 0)).known());
  }
  CHECK(st::report::detail::find_measured_period(run_of(2, 0)).known());
}

TEST_CASE("of a record with gaps it is that of the stretch with most batches, and of no gap") {
  st::timeline record = run_of(40, 0);
  const auto at = [](std::size_t us) {
    return st::timeline::clock::time_point(std::chrono::microseconds(us));
  };
  for (std::size_t b = 0; b < 80; ++b)
    record.add(0, {0, 1000 + b, at(50'000 + 20 * b), at(50'000 + 20 * b + 20), 1});
  const auto found = st::report::detail::find_measured_period(record);
  REQUIRE(found.known());
  CHECK(found.time.count() == doctest::Approx(20e-6));
  CHECK(found.first == 1020);
  CHECK(found.batches == 39);
}

TEST_CASE("batches that are missing are no ends of a progress") {
  st::timeline record;
  const std::vector<std::string_view> threads{"caller"};
  const std::vector<std::string_view> tasks{"work", "pull", "deliver"};
  record.attached(threads, tasks);
  for (const std::size_t b : {0U, 1U, 3U, 4U, 5U, 7U}) {
    const st::timeline::clock::time_point begin(std::chrono::microseconds(10 * b + 1));
    record.add(0, {0, b, begin, begin + std::chrono::microseconds(10)});
  }
  const auto found = st::report::detail::find_measured_period(record);
  CHECK(found.first == 3);  // a quarter of 8 is 2
  CHECK(found.time.count() == doctest::Approx(10e-6));
}
