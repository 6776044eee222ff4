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
