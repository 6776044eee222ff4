// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a thread learns about spinning from the waits before.

#include <doctest/doctest.h>
#include <stretto/run/wait/adaptive_spin.hpp>

using stretto::runner::detail::adaptive_spin;

TEST_CASE("what was in vain is tried a quarter as often, in the end not at all") {
  adaptive_spin::spin_attempt a = adaptive_spin().begin();
  for (const unsigned times : {512U, 128U, 32U, 8U, 2U, 0U, 0U}) {
    CHECK(a.of(512) == times);
    a = a.failed();
  }
}

TEST_CASE("what helped is tried more often, in two steps to the full from the least") {
  adaptive_spin::spin_attempt a = adaptive_spin().begin();
  CHECK(a.succeeded().of(512) == 512);
  a = a.failed().failed().failed().failed();
  CHECK(a.of(512) == 2);
  a = a.succeeded();
  CHECK(a.of(512) == 32);
  a = a.succeeded();
  CHECK(a.of(512) == 128);
}

TEST_CASE("now and then it waits as if nothing had been learned; the less that helps, the rarer") {
  adaptive_spin::spin_attempt a = adaptive_spin().begin();
  unsigned waits = 0;
  const auto until_trial = [&] {
    for (waits = 0; a.of(512) != 512 && waits < 100000; ++waits) a = a.failed();
    return waits;
  };
  a = a.failed();
  unsigned expected = 31;  // the first one counts
  for (int trial = 0; trial < 10; ++trial) {
    CHECK(until_trial() == expected);
    a = a.failed();
    expected = trial < 7 ? 64U << trial : 32U << 7;
    CHECK(a.of(512) == 0);
  }
}

TEST_CASE("who gives up tries nothing, and has its next trial as late as after trials in vain") {
  adaptive_spin::spin_attempt a = adaptive_spin().begin().gave_up();
  CHECK(a.is_given_up());
  for (unsigned waits = 1; waits < 32U << 7; ++waits) {
    REQUIRE(a.of(16) == 0);
    a = waits % 2 == 0 ? a.failed() : a.gave_up();
  }
  CHECK(a.is_trial());
  CHECK(a.gave_up().is_given_up());
  CHECK(a.succeeded().of(16) == 16);
}

TEST_CASE("trials, and waits in which nothing is tried, are told from others") {
  adaptive_spin::spin_attempt a = adaptive_spin().begin();
  for (int waits = 0; waits < 32; ++waits) {
    CHECK_FALSE(a.is_trial());
    CHECK(a.is_given_up() == (waits >= 5));
    a = a.failed();
  }
  CHECK(a.is_trial());
  CHECK_FALSE(a.is_given_up());
  CHECK_FALSE(a.succeeded().is_trial());
}

TEST_CASE("a trial that helps makes all forgotten") {
  adaptive_spin::spin_attempt a = adaptive_spin().begin();
  for (int i = 0; i < 32; ++i) a = a.failed();
  REQUIRE(a.of(512) == 512);
  CHECK(a.succeeded().of(512) == 512);
  CHECK(a.succeeded().failed().of(512) == 128);
}

TEST_CASE("what was learned is there for the next wait") {
  adaptive_spin spin;
  spin.learn(spin.begin().failed());
  CHECK(spin.begin().of(512) == 128);
  spin.learn(spin.begin().failed());
  CHECK(spin.begin().of(512) == 32);
  for (int i = 0; i < 30; ++i) spin.learn(spin.begin().failed());
  CHECK(spin.begin().of(512) == 512);  // a trial
  spin.learn(spin.begin().failed());
  CHECK(spin.begin().of(512) == 0);
}
