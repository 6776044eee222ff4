// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the threads of a run are told.

#include <doctest/doctest.h>
#include <chrono>
#include <stretto/run/run_state.hpp>
#include <thread>

namespace {

struct token {
  mutable int asked = 0;
  bool up = false;
  bool stop_requested() const {
    ++asked;
    return up;
  }
};

}  // namespace

TEST_CASE("a run goes on until it is told to stop, and the next one goes on again") {
  stretto::runner::run_state<stretto::spin> run;
  CHECK_FALSE(run.stopping());
  CHECK(run.batches() > 1000000);
  run.tell_to_stop();
  CHECK(run.stopping());
  run.end = 3;
  CHECK(run.batches() == 3);
  run.restart();
  CHECK_FALSE(run.stopping());
  CHECK(run.batches() > 1000000);
}

TEST_CASE("a new run waits for its own beginning and its own pulls") {
  stretto::runner::run_state<stretto::spin> run;
  for (stretto::runner::signal_word<stretto::spin>* const signal :
       {&run.start.open, &run.start.pulled}) {
    signal->publish(9);
    run.restart();
    int value = 0;
    std::thread waiting([&] {
      signal->await(4);
      value *= 2;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    value = 21;
    signal->publish(4);
    waiting.join();
    CHECK(value == 42);
  }
}

TEST_CASE("a token is asked at each task until it says stop, then nobody asks") {
  stretto::runner::run_state<stretto::spin> run;
  token t;
  CHECK_FALSE(run.stopping());
  CHECK(t.asked == 0);
  run.poll(t);
  CHECK_FALSE(run.stopping());
  CHECK_FALSE(run.stopping());
  CHECK(t.asked == 2);
  t.up = true;
  CHECK(run.stopping());
  CHECK(run.stopping());
  CHECK(t.asked == 3);
  run.restart();
  CHECK_FALSE(run.stopping());
  CHECK(t.asked == 3);
}
