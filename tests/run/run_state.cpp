// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the threads of a run are told.

#include <doctest/doctest.h>
#include <stretto/run/run_state.hpp>
#include <thread>
#include "../support/rest.hpp"

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
  run.restart(0);
  CHECK_FALSE(run.stopping());
  CHECK(run.batches() > 1000000);
}

TEST_CASE("a new run waits for its own beginning and its own pulls") {
  stretto::runner::run_state<stretto::block> run;
  for (stretto::runner::signal_word<stretto::block>* const signal :
       {&run.start.open, &run.start.pulled}) {
    signal->publish(9);
    run.restart(0);
    int value = 0;
    std::thread waiting([&] {
      signal->await(4);
      value *= 2;
    });
    tested::until_others_sleep();
    value = 21;
    signal->publish(4);
    waiting.join();
    CHECK(value == 42);
  }
}

TEST_CASE("threads that set out anew have all earlier batches behind them") {
  namespace runner = stretto::runner;
  runner::run_state<stretto::spin> run;
  run.tell_to_stop();
  CHECK(run.told_to_stop());
  run.restart(5);
  CHECK_FALSE(run.told_to_stop());
  CHECK(run.epoch_before() == runner::first_epoch + 5);
  run.start.pulled.await(runner::first_epoch + 5);  // is there
  CHECK(run.fires(0, 5));
  CHECK_FALSE(run.fires(2, 5));  // batch 3 is through
  CHECK_FALSE(run.fires(2, 6));
  CHECK(run.fires(2, 7));
  run.end = 7;
  CHECK(run.fires(2, 8));
  CHECK_FALSE(run.fires(2, 9));
  CHECK_FALSE(run.fires(0, 7));

  CHECK(runner::progresses_to_own(2, 3, 0) == 2);
  CHECK(runner::progresses_to_own(2, 3, 5) == 0);  // 5 leaves 2
  CHECK(runner::progresses_to_own(1, 3, 5) == 2);
  CHECK(runner::progresses_to_own(0, 1, 5) == 0);
}

TEST_CASE(
    "a failure ends a run behind its batch, an earlier one before, and a stop goes over both") {
  namespace runner = stretto::runner;
  runner::run_state<stretto::spin> run;
  CHECK_FALSE(run.has_failed());
  run.end_early({2, nullptr, 9, 70}, 7);
  CHECK(run.batches() == 8);
  CHECK(run.stopping());  // to ask
  CHECK_FALSE(run.stopping_at_once());
  CHECK(run.is_ending_early());
  CHECK(run.has_failed());
  CHECK(run.batches_of_source() > 1000000);
  CHECK(run.failure.ends_before(70));
  CHECK_FALSE(run.failure.ends_before(69));
  run.end_source(12);  // which had more
  CHECK(run.batches() == 8);
  CHECK(run.batches_of_source() == 12);
  run.end_early({3, nullptr, 5, 41}, 4);
  run.end_early({2, nullptr, 8, 60}, 6);  // later
  CHECK(run.batches() == 5);
  CHECK(run.failure.get().node == 3);
  CHECK(run.failure.get().progress == 5);
  CHECK_FALSE(run.failure.ends_before(40));
  token t;
  run.question = {&t, [](const void* asked) noexcept {
                    return static_cast<const token*>(asked)->stop_requested();
                  }};
  CHECK_FALSE(run.stopping_at_once());
  t.up = true;
  CHECK(run.stopping_at_once());
  CHECK(run.told_to_stop());
  run.end_early({1, nullptr, 3, 20}, 2);
  CHECK(run.told_to_stop());  // still
  run.restart(0);
  CHECK_FALSE(run.has_failed());
  CHECK_FALSE(run.stopping());
  CHECK(run.batches_of_source() > 1000000);
}

TEST_CASE("a source that can be asked to stop is, and another is left alone") {
  stretto::runner::run_state<stretto::spin> run;
  run.ask_source_to_stop();
  int asked = 0;
  run.source_stop = {&asked, [](void* count) noexcept { ++*static_cast<int*>(count); }};
  run.ask_source_to_stop();
  CHECK(asked == 1);
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
  run.restart(0);
  CHECK_FALSE(run.stopping());
  CHECK(t.asked == 3);
}
