// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <stretto/device/clock_map.hpp>

namespace {

using stretto::device::detail::clock_map;
using stretto::device::detail::clock_reading;
using stretto::device::detail::host_clock;
using stretto::device::detail::milliseconds;

host_clock::time_point host(double at) {
  return host_clock::time_point(std::chrono::hours(7)) +
         std::chrono::duration_cast<host_clock::duration>(milliseconds(at));
}
clock_reading reading(double before, double after, double device) {
  return {host(before), host(after), milliseconds(device)};
}
double at(const clock_map& map, double device) {
  return milliseconds(map.host_time(milliseconds(device)) - host(0)).count();
}

}  // namespace

TEST_CASE("as long as both readings allow it, the device's clock goes as fast as the host's") {
  // At the begin it is 100 to 104 behind, at the end 102 to 103.
  const clock_map map(reading(100, 104, 0), reading(1102, 1103, 1000));
  CHECK(at(map, 0) == doctest::Approx(102.5));
  CHECK(at(map, 400) == doctest::Approx(502.5));
  CHECK(at(map, 1000) == doctest::Approx(1102.5));
  // 100 and 104 may have been true at the begin.
  CHECK(map.error().count() == doctest::Approx(2.5));
}

TEST_CASE("the less sure of two readings says how sure times are") {
  CHECK(clock_map(reading(0, 10, 0), reading(101, 102, 100)).error().count() ==
        doctest::Approx(8.5));
  CHECK(clock_map(reading(0, 1, 0), reading(92, 110, 100)).error().count() == doctest::Approx(9.5));
}

TEST_CASE("a short run stretches no task") {
  const clock_map map(reading(0, 4, 0), reading(3, 7, 2));
  CHECK(at(map, 2) - at(map, 0) == doctest::Approx(2));
  CHECK(map.error().count() == doctest::Approx(2.5));
}

TEST_CASE("how much faster or slower a device's clock goes is spread over the run") {
  const clock_map slow(reading(100, 102, 0), reading(1111, 1115, 1000));
  CHECK(at(slow, 0) == doctest::Approx(101));
  CHECK(at(slow, 500) == doctest::Approx(607));
  CHECK(at(slow, 1000) == doctest::Approx(1113));
  CHECK(slow.error().count() == doctest::Approx(2));

  const clock_map fast(reading(100, 108, 0), reading(594, 596, 1000));
  CHECK(at(fast, 0) == doctest::Approx(104));
  CHECK(at(fast, 250) == doctest::Approx(226.75));
  CHECK(at(fast, 1000) == doctest::Approx(595));
  CHECK(fast.error().count() == doctest::Approx(4));
}

TEST_CASE("readings at one moment of the device's clock say when that was") {
  const clock_map once(reading(10, 14, 0), reading(10, 14, 0));
  CHECK(at(once, 0) == doctest::Approx(12));
  CHECK(at(once, 5) == doctest::Approx(17));
  CHECK(once.error().count() == doctest::Approx(2));
  // One that stands still cannot be spread.
  const clock_map stands(reading(10, 14, 0), reading(110, 112, 0));
  CHECK(at(stands, 0) == doctest::Approx(12));
  CHECK(at(stands, 1) == doctest::Approx(13));
}
