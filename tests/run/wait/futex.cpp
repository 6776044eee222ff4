// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sleeping until a word changes.

#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stretto/run/wait/futex.hpp>
#include <thread>
#include "../../support/rest.hpp"

namespace detail = stretto::runner::detail;

TEST_CASE("nobody sleeps for a word that has changed already") {
  std::atomic<std::uint32_t> word{3};
  detail::sleep_while(word, 2);
  CHECK(word.load() == 3);
}

TEST_CASE("a sleep with a limit ends, and not much too early") {
  using clock = std::chrono::steady_clock;
  std::atomic<std::uint32_t> word{0};
  const clock::time_point before = clock::now();
  // A sleep may end for no reason, though hardly each.
  int over = 0;
  for (int i = 0; i < 5; ++i) over += detail::sleep_while_for(word, 0, 20) ? 1 : 0;
  CHECK(over > 2);
  CHECK(clock::now() - before > std::chrono::milliseconds(50));
}

TEST_CASE("a sleep with a limit that ends before it is not over") {
  std::atomic<std::uint32_t> word{3};
  CHECK_FALSE(detail::sleep_while_for(word, 2, 1000));
}

TEST_CASE("all sleepers are woken") {
  detail::enable_asymmetric_fences();
  std::atomic<std::uint32_t> word{0};
  std::atomic<int> awake{0};
  const auto sleep = [&] {
    while (word.load() == 0) detail::sleep_while(word, 0);
    ++awake;
  };
  std::thread a(sleep), b(sleep), c(sleep);
  tested::until_others_sleep();
  word = 1;
  detail::wake_all(word);
  a.join();
  b.join();
  c.join();
  CHECK(awake == 3);
}
