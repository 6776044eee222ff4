// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the threads of a run are told.

#include <doctest/doctest.h>
#include <stretto/run/run_state.hpp>

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
