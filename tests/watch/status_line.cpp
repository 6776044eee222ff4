// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <stretto/watch/status_line.hpp>
#include <string>

namespace st = stretto;
using seconds = st::activity::seconds;

namespace {

/// 100 s after a run began, in which 1,200 batches went through.
st::activity seen() {
  st::activity now;
  now.at = std::chrono::steady_clock::time_point(std::chrono::seconds(1000));
  now.running = true;
  now.up = seconds(100);
  now.begun = 1203;
  now.through = 1200;
  now.tasks.resize(3);
  now.tasks[0].name = "load";
  now.tasks[0].waits.longest = seconds(0.0123);
  now.tasks[1].name = "pull";
  now.tasks[2].name = "deliver";
  now.threads.resize(2);
  now.threads[0] = {.name = "caller", .busy = seconds(20)};
  now.threads[1] = {.name = "io", .busy = seconds(50)};
  return now;
}
/// 10 s before.
st::activity seen_before() {
  st::activity before = seen();
  before.at -= std::chrono::seconds(10);
  before.up -= seconds(10);
  before.through = 1000;
  before.threads[0].busy = seconds(11);
  before.threads[1].busy = seconds(48);
  return before;
}

}  // namespace

TEST_CASE("a line since the run began, and one since the look before") {
  CHECK(st::status_line(seen()) ==
        "1200 batches, 12.0 a second, 3 in flight, longest wait 12.3 ms before `load`");
  CHECK(st::status_line(seen(), seen_before(), 5000) ==
        "1200 of 5000 batches, 20.0 a second, 3 in flight, busiest thread `caller` 90.0 %, "
        "longest wait 12.3 ms before `load`");
}

TEST_CASE("the slot in which most batches wait is told, if any do") {
  st::activity now = seen();
  now.queues = {{.slot = "file", .room = 4, .waiting = 1},
                {.slot = "image", .room = 3, .waiting = 2}};
  CHECK(st::status_line(now) ==
        "1200 batches, 12.0 a second, 3 in flight, fullest queue `image` 2 of 3, "
        "longest wait 12.3 ms before `load`");
  now.queues[0].waiting = 2;
  CHECK(st::status_line(now).find("fullest queue `file` 2 of 4,") != std::string::npos);
  for (auto& q : now.queues) q.waiting = 0;
  CHECK(st::status_line(now) == st::status_line(seen()));
}

TEST_CASE("a look at the run before, or at another pipeline, is none") {
  st::activity before = seen_before();
  before.up = seconds(500);
  CHECK(st::status_line(seen(), before) == st::status_line(seen()));
  before = seen_before();
  before.running = false;
  CHECK(st::status_line(seen(), before) == st::status_line(seen()));
  before = seen_before();
  before.threads.resize(1);
  CHECK(st::status_line(seen(), before) == st::status_line(seen()));
}

TEST_CASE("a pipeline that has not run has a line, too, and a name breaks none") {
  CHECK(st::status_line({}) == "0 batches, 0 in flight");
  st::activity now = seen();
  now.tasks[0].name = "lo\nad";
  CHECK(st::status_line(now).find('\n') == std::string::npos);
}
