// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <stretto/watch/stillness.hpp>

namespace {

using stretto::watch::detail::stillness;

stillness::clock::time_point at(int seconds) {
  return stillness::clock::time_point(std::chrono::seconds(seconds));
}

}  // namespace

TEST_CASE("what does not move for too long is told once") {
  stillness s(std::chrono::seconds(10));
  CHECK_FALSE(s.too_long(5, false, at(100)));
  CHECK_FALSE(s.too_long(5, false, at(109)));
  CHECK(s.too_long(5, false, at(110)));
  CHECK_FALSE(s.too_long(5, false, at(111)));
  CHECK_FALSE(s.too_long(5, false, at(500)));
}

TEST_CASE("what moves is never told, and what stops once more is told once more") {
  stillness s(std::chrono::seconds(10));
  for (unsigned t = 0; t < 100; ++t)
    CHECK_FALSE(s.too_long(t, false, at(static_cast<int>(20 * t))));
  CHECK(s.too_long(99, false, at(1990)));
  CHECK_FALSE(s.too_long(100, false, at(2000)));
  CHECK_FALSE(s.too_long(100, false, at(2009)));
  CHECK(s.too_long(100, false, at(2010)));
}

TEST_CASE("patience begins anew after a rest") {
  stillness s(std::chrono::seconds(10));
  CHECK_FALSE(s.too_long(0, true, at(0)));
  CHECK_FALSE(s.too_long(0, true, at(50)));
  CHECK_FALSE(s.too_long(0, false, at(55)));
  CHECK(s.too_long(0, false, at(60)));
}
