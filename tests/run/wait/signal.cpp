// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Signals: who waits goes on when the epoch has come, sees what was done before, and not earlier.

#include <doctest/doctest.h>
#if defined(__linux__)
#  include "../../support/sleeps.hpp"
#endif
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stretto/run/threads/core_set.hpp>
#include <stretto/run/wait/signal.hpp>
#include <thread>
#include <vector>
#include "../../support/rest.hpp"

namespace {

namespace runner = stretto::runner;

/// Returns when the other threads wait: asleep, or, where they spin, in all likelihood.
template <class Waiting>
void let_them_wait() {
  if constexpr (Waiting::sleeps) {
    tested::until_others_sleep();
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
}

}  // namespace

TEST_CASE_TEMPLATE("an epoch that has come, or a later one, is not waited for", Waiting,
                   stretto::spin, stretto::spin_then_sleep<>, stretto::block) {
  runner::signal<Waiting> signal;
  signal.await(runner::first_epoch);
  signal.publish(5);
  signal.await(5);
  signal.await(3);
  signal.publish(0xFFFFFFFFU);
  signal.await(0xFFFFFFF0U);
  signal.publish(2);  // epochs wrap around
  signal.await(0xFFFFFFFFU);
  signal.publish(7 + runner::detail::released_forever);
  signal.await(1000);
  signal.await(7);
}

TEST_CASE_TEMPLATE("who has seen an epoch does not look for it again", Waiting, stretto::spin,
                   stretto::spin_then_sleep<>, stretto::block) {
  runner::signal<Waiting> signal;
  std::uint32_t seen = runner::first_epoch;
  signal.publish(7);
  signal.await(3, seen);
  CHECK(seen == 7);   // further than was asked
  signal.publish(0);  // nobody would come back from a look at that
  signal.await(5, seen);
  signal.await(7, seen);
  CHECK(seen == 7);
  signal.publish(8);
  signal.await(8, seen);
  CHECK(seen == 8);
  seen = 0xFFFFFFFFU;
  signal.await(2, seen);  // epochs wrap around
  CHECK(seen == 8);

  std::thread owner([&signal] {
    let_them_wait<Waiting>();
    signal.publish(12);
  });
  signal.await(11, seen);
  CHECK(seen == 12);
  owner.join();
}

TEST_CASE_TEMPLATE("two threads take turns, and see what the other did", Waiting, stretto::spin,
                   stretto::spin_then_sleep<>, stretto::spin_then_sleep<1, 0>, stretto::block) {
  runner::detail::enable_asymmetric_fences();
  // Where there are fewer cores than threads, or others want them, who spins does so until the
  // system takes the core away.
  constexpr std::uint32_t rounds = Waiting::sleeps ? 200 : 10;
  // What a run starts from; then epochs pass the largest number there is.
  for (const std::uint32_t first : {std::uint32_t{0}, 0xFFFFFFF0U}) {
    runner::signal<Waiting> there, back;
    there.publish(first);
    back.publish(first);
    std::uint32_t ball = 0;  // nobody touches it out of turn
    std::thread other([&] {
      for (std::uint32_t i = 1; i <= rounds; ++i) {
        there.await(first + i);
        ++ball;
        back.publish(first + i);
      }
    });
    bool in_turn = true;
    for (std::uint32_t i = 1; i <= rounds; ++i) {
      if (i % 8 == 0) let_them_wait<Waiting>();
      in_turn = in_turn && ball == 2 * (i - 1);
      ++ball;
      there.publish(first + i);
      back.await(first + i);
    }
    other.join();
    CHECK(in_turn);
    CHECK(ball == 2 * rounds);
  }
}

TEST_CASE("who sleeps for long is woken, and so is who sleeps for a moment") {
  runner::detail::enable_asymmetric_fences();
  using sleepy = stretto::spin_then_sleep<1, 0>;
  for (const bool for_long : {false, true}) {
    runner::signal<sleepy> signal;
    int awake = 0;
    std::thread waiting([&] {
      for (std::uint32_t epoch = 1; epoch <= 3; ++epoch) {
        signal.await(epoch);
        ++awake;
      }
    });
    for (std::uint32_t epoch = 1; epoch <= 3; ++epoch) {
      tested::until_others_sleep();
      // Longer than it sleeps before it has others fence.
      if (for_long) std::this_thread::sleep_for(std::chrono::milliseconds(3));
      signal.publish(epoch);
    }
    waiting.join();
    CHECK(awake == 3);
  }
}

#if defined(__linux__)

using tested::sleeps_are_counted;
using tested::sleeps_of_this_thread;

TEST_CASE_TEMPLATE("on one core, who waits hands it to the one it waits for, and does not sleep",
                   Waiting, stretto::spin_then_sleep<>, stretto::block) {
  runner::detail::enable_asymmetric_fences();
  constexpr std::uint32_t rounds = 40;
  const auto sleeps_in_turns = [] {
    runner::signal<Waiting> there, back;
    using runner::detail::core_set;
    const core_set before = core_set::of_this_thread();
    REQUIRE(!before.empty());
    before.turn(0).apply();  // threads start where their maker is
    REQUIRE(core_set::of_this_thread().size() == 1);
    std::atomic<bool> started = false;
    std::thread other([&] {
      started = true;
      for (std::uint32_t i = 1; i <= rounds; ++i) {
        there.await(i);
        back.publish(i);
      }
    });
    while (!started) std::this_thread::yield();
    const auto start = std::chrono::steady_clock::now();
    const long before_turns = sleeps_of_this_thread();
    for (std::uint32_t i = 1; i <= rounds; ++i) {
      there.publish(i);
      back.await(i);
    }
    const long sleeps = sleeps_of_this_thread() - before_turns;
    const bool undisturbed =
        std::chrono::steady_clock::now() - start < std::chrono::microseconds(1500);
    other.join();
    before.apply();
    return undisturbed ? std::optional(sleeps) : std::nullopt;
  };
  // Where other programs take the core in between, which shows in the time, it is right to sleep.
  std::optional<long> fewest;
  for (int attempt = 0; attempt < 100 && fewest.value_or(rounds) > rounds / 4; ++attempt)
    if (const std::optional<long> sleeps = sleeps_in_turns())
      fewest = std::min(*sleeps, fewest.value_or(rounds));
  if (fewest) {
    CHECK(*fewest <= rounds / 4);
  } else {
    MESSAGE("other programs want the core all the time: not looked at");
  }
}

/// How often a thread slept that waited for a signal, published when \p it_waits has returned.
template <class Signal, class Wait>
long sleeps_in_a_wait(Signal& signal, std::uint32_t epoch, Wait it_waits) {
  long sleeps = 0;
  std::atomic<bool> waits = false;
  std::thread waiting([&] {
    const long before = sleeps_of_this_thread();
    waits = true;
    signal.await(epoch);
    sleeps = sleeps_of_this_thread() - before;
  });
  while (!waits) std::this_thread::yield();
  it_waits();
  signal.publish(epoch);
  waiting.join();
  return sleeps;
}

/// Stays awake for good, unless it is told otherwise.
using awake = stretto::spin_then_sleep<4000000000U, 0>;

TEST_CASE("who is to sleep soon does, however long it would stay awake") {
  if (!sleeps_are_counted()) return;
  runner::detail::enable_asymmetric_fences();
  runner::signal<awake> signal;
  std::uint32_t epoch = runner::first_epoch;
  const auto waits_in_sleep = [&](auto it_waits) {  // of five
    int slept = 0;
    for (int wait = 0; wait < 5; ++wait)
      slept += sleeps_in_a_wait(signal, ++epoch, it_waits) > 0 ? 1 : 0;
    return slept;
  };
  // In some of them a sanitizer may have slept.
  CHECK(waits_in_sleep(let_them_wait<stretto::spin>) < 5);
  signal.sleep_soon();
  CHECK(waits_in_sleep(tested::until_others_sleep) == 5);
  signal.restart(epoch = runner::first_epoch);  // in the next run as well
  CHECK(waits_in_sleep(tested::until_others_sleep) == 5);
}

TEST_CASE("signals side by side are all told to sleep soon") {
  if (!sleeps_are_counted()) return;
  runner::detail::enable_asymmetric_fences();
  runner::signal_array<awake, 2> signals;
  signals.sleep_soon();
  for (std::size_t s = 0; s < 2; ++s)
    CHECK(sleeps_in_a_wait(signals[s], 1, tested::until_others_sleep) > 0);
}

#endif

TEST_CASE_TEMPLATE("several wait for one signal, asleep in each wait or now and then", Waiting,
                   stretto::spin_then_sleep<>, stretto::spin_then_sleep<1, 0>, stretto::block) {
  runner::detail::enable_asymmetric_fences();
  constexpr std::uint32_t rounds = 400;
  constexpr std::size_t most = 3;
  runner::signal<Waiting> there;
  std::array<runner::signal<Waiting>, most> back;
  std::uint32_t value = 0;  // nobody reads it while it is written
  std::array<std::uint32_t, most> seen{};
  std::vector<std::thread> waiting;
  for (std::size_t w = 0; w < most; ++w)
    waiting.emplace_back([&, w] {
      for (std::uint32_t i = 1; i <= rounds; ++i) {
        there.await(i);
        seen[w] += value == i;
        back[w].publish(i);
      }
    });
  for (std::uint32_t i = 1; i <= rounds; ++i) {
    // Long stretches in which they sleep, and shorter ones in which they need not.
    if (i % 100 < 60) std::this_thread::sleep_for(std::chrono::microseconds(100));
    value = i;
    there.publish(i);
    for (runner::signal<Waiting>& b : back) b.await(i);
  }
  for (std::thread& w : waiting) w.join();
  for (const std::uint32_t s : seen) CHECK(s == rounds);
}

TEST_CASE_TEMPLATE("a signal that starts again waits for what it had reached before", Waiting,
                   stretto::spin, stretto::spin_then_sleep<>, stretto::block) {
  runner::signal<Waiting> signal;
  signal.publish(9);
  signal.restart(runner::first_epoch);
  int value = 0;
  std::thread waiting([&] {
    signal.await(4);
    value *= 2;
  });
  let_them_wait<Waiting>();
  value = 21;
  signal.publish(4);
  waiting.join();
  CHECK(value == 42);
}

TEST_CASE_TEMPLATE("what is said early next to a value is enough", Waiting, stretto::spin,
                   stretto::spin_then_sleep<>, stretto::block) {
  runner::signal<Waiting> signal;
  runner::early_word early;
  early.publish(5);
  signal.await(5, early);
  signal.await(3, early);
}

TEST_CASE_TEMPLATE("who runs no more says so by the signal, not by what is next to values", Waiting,
                   stretto::spin, stretto::spin_then_sleep<>, stretto::spin_then_sleep<1000000, 0>,
                   stretto::spin_then_sleep<0, 1000000>, stretto::block) {
  runner::detail::enable_asymmetric_fences();
  runner::signal<Waiting> signal;
  runner::early_word early;
  int value = 0;
  std::thread waiting([&] {
    signal.await(4, early);
    value *= 2;
  });
  let_them_wait<Waiting>();
  value = 21;
  signal.publish(1 + runner::detail::released_forever);
  waiting.join();
  CHECK(value == 42);
}

TEST_CASE_TEMPLATE("two threads take turns by what is said next to values", Waiting, stretto::spin,
                   stretto::spin_then_sleep<>, stretto::spin_then_sleep<1, 0>, stretto::block) {
  runner::detail::enable_asymmetric_fences();
  constexpr std::uint32_t rounds = Waiting::sleeps ? 200 : 10;
  struct said {
    runner::signal<Waiting> here;
    runner::early_word next_to_value;

    runner::early_signal<runner::signal<Waiting>> both() { return {&next_to_value, here}; }
  };
  said there, back;
  std::uint32_t ball = 0;  // nobody touches it out of turn
  std::thread other([&] {
    for (std::uint32_t i = 1; i <= rounds; ++i) {
      there.both().await(i);
      ++ball;
      back.both().publish(i);
    }
  });
  bool in_turn = true;
  for (std::uint32_t i = 1; i <= rounds; ++i) {
    if (i % 8 == 0) let_them_wait<Waiting>();
    in_turn = in_turn && ball == 2 * (i - 1);
    ++ball;
    there.both().publish(i);
    back.both().await(i);
  }
  other.join();
  CHECK(in_turn);
  CHECK(ball == 2 * rounds);
}

TEST_CASE("a signal has cache lines of its own, and who waits remembers how on another") {
  CHECK(alignof(runner::signal<stretto::spin>) == runner::cache_line);
  CHECK(sizeof(runner::signal<stretto::spin>) == runner::cache_line);
  CHECK(sizeof(runner::signal<stretto::block>) == 2 * runner::cache_line);
  CHECK(sizeof(runner::signal<stretto::spin_then_sleep<>>) == 2 * runner::cache_line);
}
