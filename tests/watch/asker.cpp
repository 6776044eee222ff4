// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <stretto/watch/asker.hpp>
#include <thread>

using std::chrono::hours;
using std::chrono::milliseconds;
using stretto::watch::detail::asker;

TEST_CASE("who is asked answers on another thread, again and again") {
  asker a;
  for (int i = 0; i < 3; ++i) {
    std::thread::id by;
    CHECK(a.ask([&] { by = std::this_thread::get_id(); }, hours(1)));
    CHECK(by != std::this_thread::get_id());
  }
}

TEST_CASE("a question that does not come back keeps others from being asked, until it does") {
  std::atomic<bool> let_go{false};
  std::atomic<int> asked{0};
  {
    asker a;
    const auto hang = [&] {
      ++asked;
      while (!let_go) std::this_thread::sleep_for(milliseconds(1));
    };
    CHECK_FALSE(a.ask(hang, milliseconds(5)));
    CHECK_FALSE(a.ask(hang, hours(1)));
    let_go = true;
    while (!a.ask([&] { ++asked; }, hours(1))) std::this_thread::yield();
    CHECK(asked == 2);
    let_go = false;
    CHECK_FALSE(a.ask(hang, milliseconds(5)));
    let_go = true;
  }
  CHECK(asked == 3);  // its end waits for the answer
}

TEST_CASE("what a question throws is no answer") {
  asker a;
  CHECK_FALSE(a.ask([] { throw std::runtime_error("lost"); }, hours(1)));
  CHECK(a.ask([] {}, hours(1)));
}
