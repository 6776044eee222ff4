// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <stretto/collective/patience.hpp>

using stretto::collective::patience;
using namespace std::chrono_literals;

namespace {

constexpr patience::duration none{0};

/// How long a wait of \p length is asleep, if each look takes \p look.
constexpr patience::duration asleep(patience p, patience::duration length,
                                    patience::duration look) {
  patience::duration slept{0};
  for (patience::duration now = look; now < length; now += look) {
    const patience::duration nap = p.nap(now);
    slept += nap;
    now += nap;
  }
  return slept;
}

}  // namespace

TEST_CASE("a short wait is awake, however many looks it has") {
  patience p(1ms);
  for (patience::duration now{0}; now < 1ms; now += 1us) CHECK(p.nap(now) == none);
  CHECK(p.nap(1ms) > none);
}

TEST_CASE("what moves much is awake for longer") {
  patience few = patience::moving(8);
  CHECK(few.nap(patience::least_awake + 1us) > none);
  patience much = patience::moving(std::size_t{64} << 20U);
  CHECK(much.nap(200ms) == none);
  CHECK(much.nap(300ms) > none);
}

TEST_CASE("who is eager has the core for as long as a piece of data takes") {
  CHECK(patience::moving(8).eager(100us));
  CHECK(!patience::moving(8).eager(201us));
  CHECK(patience::moving(std::size_t{1} << 20U).eager(1ms));
  CHECK(!patience::moving(std::size_t{1} << 20U).eager(2ms));
}

TEST_CASE("sleep is a sixteenth of the time waited, and neither a moment nor long") {
  CHECK(patience(1ms).nap(1600us) == 100us);
  CHECK(patience(0ms).nap(16us) == patience::shortest);
  CHECK(patience(1ms).nap(10s) == patience::longest);
}

TEST_CASE("after each sleep there are some looks") {
  patience p(1ms);
  CHECK(p.nap(2ms) > none);
  CHECK(p.nap(2200us) == none);  // overslept: all the same
  CHECK(p.nap(2200us + patience::between - 1us) == none);
  CHECK(p.nap(2200us + patience::between) > none);
  CHECK(p.nap(3ms) == none);
}

TEST_CASE("a long wait sleeps nearly all the time") {
  static_assert(asleep(patience(1ms), 900us, 500ns) == none);
  CHECK(asleep(patience(1ms), 1s, 500ns) > 940ms);
  CHECK(asleep(patience(1ms), 1s, 500ns) < 970ms);
  CHECK(asleep(patience(1ms), 10ms, 500ns) > 7ms);
}
