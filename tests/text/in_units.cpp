// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <stretto/text/in_units.hpp>

using stretto::text::in_units;
using seconds = std::chrono::duration<double>;

TEST_CASE("times have three digits and a unit") {
  CHECK(in_units(seconds(0)) == "0");
  CHECK(in_units(seconds(5e-9)) == "5.00 ns");
  CHECK(in_units(seconds(123.4e-6)) == "123 us");
  CHECK(in_units(seconds(0.0567)) == "56.7 ms");
  CHECK(in_units(seconds(2)) == "2.00 s");
  CHECK(in_units(seconds(4000)) == "4000 s");
  CHECK(in_units(std::chrono::milliseconds(12)) == "12.0 ms");
}

TEST_CASE("a time may be less than nothing, and the unit of microseconds another") {
  CHECK(in_units(seconds(-13.14e-6)) == "-13.1 us");
  CHECK(in_units(seconds(-13.14e-6), "\xC2\xB5s") == "-13.1 \xC2\xB5s");
}

TEST_CASE("what is rounded to a thousand of a unit is one of the next") {
  CHECK(in_units(seconds(999.4e-6)) == "999 us");
  CHECK(in_units(seconds(999.6e-6)) == "1.00 ms");
  CHECK(in_units(seconds(-999.6e-9)) == "-1.00 us");
  CHECK(in_units(seconds(9.996e-3)) == "10.0 ms");
  CHECK(in_units(seconds(99.96e-3)) == "100 ms");
}
