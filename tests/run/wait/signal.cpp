// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Signals: who waits goes on when the epoch has come, sees what was done before, and not earlier.

#include <doctest/doctest.h>
#include <chrono>
#include <cstdint>
#include <stretto/run/wait/signal.hpp>
#include <thread>

namespace {

namespace runner = stretto::runner;

void let_it_sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(3)); }

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

TEST_CASE_TEMPLATE("two threads take turns, and see what the other did", Waiting, stretto::spin,
                   stretto::spin_then_sleep<>, stretto::spin_then_sleep<1, 0>, stretto::block) {
  runner::detail::enable_asymmetric_fences();
  // Where there are fewer cores than threads, who spins does so until the system takes the core
  // away.
  constexpr std::uint32_t rounds = Waiting::sleeps ? 200 : 40;
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
      if (i % 20 == 0) let_it_sleep();  // so that the other one sleeps
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
  for (const int milliseconds : {0, 1, 2, 20}) {
    runner::signal<sleepy> signal;
    int awake = 0;
    std::thread waiting([&] {
      for (std::uint32_t epoch = 1; epoch <= 3; ++epoch) {
        signal.await(epoch);
        ++awake;
      }
    });
    for (std::uint32_t epoch = 1; epoch <= 3; ++epoch) {
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      signal.publish(epoch);
    }
    waiting.join();
    CHECK(awake == 3);
  }
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
  let_it_sleep();
  value = 21;
  signal.publish(4);
  waiting.join();
  CHECK(value == 42);
}

TEST_CASE("a signal has a cache line of its own") {
  CHECK(alignof(runner::signal<stretto::spin>) == runner::cache_line);
  CHECK(sizeof(runner::signal<stretto::spin_then_sleep<>>) == runner::cache_line);
}
