// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Host tasks and streams in one pipeline: host to host, host to device, device to device, device to
// host; and back, where memory is used again.

#include "pairs.hpp"
#include <cstddef>
#include <string>

namespace {

using namespace on_recording;

using namespace paired;

template <class... Plan>
void check_runs() {
  subject<Plan...> s;
  s.check_run();
  s.check_run();
  for (unsigned seed = 1; seed <= 6; ++seed) {
    subject<Plan...> t;
    t.w.jitter(seed);
    t.check_run();
    t.check_run();
  }
}

TEST_CASE("all pairs, on the calling thread") { check_runs<alone>(); }
TEST_CASE("all pairs, a thread for each stream") { check_runs<pairs>(); }
TEST_CASE("all pairs, a thread for each task") { check_runs<each>(); }
TEST_CASE("all pairs, host tasks on three workers") { check_runs<manned>(); }
TEST_CASE("all pairs, threads that meet after each progress") { check_runs<pairs, st::barrier>(); }
TEST_CASE("all pairs, one batch after the other") { check_runs<st::serial<pairs>>(); }

TEST_CASE("a host task waits for its stream's record, and for nothing else") {
  subject<alone> s;
  auto run = s.pipeline.run(s.source());
  for (int i = 0; i < 6; ++i) run.progress();
  s.w.take_log();
  run.progress();
  const recording::log all = s.w.take_log();
  CHECK(all.without({call::last_error}).text() ==
        "synchronize_event(e0)\n"  // before `stage` fills pinned memory again
        "copy(up, 8, \"upload b5\")\n"
        "record(e0, up)\n"
        "kernel(compute, \"compute b4\")\n"  // of what the host has seen arrive
        "record(e1, compute)\n"
        "wait(down, e1)\n"
        "copy(down, 8, \"fetch\")\n"
        "record(e2, down)\n"
        "synchronize_event(e2)\n");  // before `check` reads
}

TEST_CASE("each wait of a host task is needed") {
  std::size_t per_progress = 0;
  {
    subject<alone> s;
    auto run = s.pipeline.run(s.source());
    for (int i = 0; i < 6; ++i) run.progress();
    s.w.take_log();
    run.progress();
    per_progress = s.w.take_log().count(call::synchronize_event);
  }
  CHECK(per_progress == 2);
  for (std::size_t left_out = 0; left_out < per_progress; ++left_out) {
    CAPTURE(left_out);
    subject<alone> s;
    auto run = s.pipeline.run(s.source());
    for (int i = 0; i < 6; ++i) run.progress();
    s.w.ignore(call::synchronize_event, left_out);
    run.progress();
    CHECK_FALSE(s.breaches().empty());
  }
}

TEST_CASE("host tasks that wait for streams sleep if they are asked to") {
  std::size_t events = 0;
  for (const bool sleep : {false, true}) {
    subject<pairs> s(st::device::usage{.sleep = sleep});
    s.check_run();
    const recording::log all = s.w.take_log();
    if (!sleep) {
      CHECK(all.count(call::create_blocking_event) == 0);
      events = all.count(call::create_event);
      continue;
    }
    CHECK(all.count(call::create_event) > 0);  // those that only streams wait for
    CHECK(all.count(call::create_event) + all.count(call::create_blocking_event) == events);
    CHECK(all.count(call::synchronize_event) > 0);
    for (const recording::entry& e : all.of({call::synchronize_event})) {
      std::string made = e.text;
      made.replace(0, made.find('('), "create_blocking_event");
      CHECK(all.count(made) == 1);
    }
  }
}

TEST_CASE("where threads run ahead, events are taken in turn, all of them") {
  subject<pairs> s;
  s.check_run();
  const recording::log all = s.w.take_log();
  CHECK(all.count(call::create_event) > 3);  // more than nodes that record
  for (const recording::entry& made : all.of({call::create_event})) {
    std::string recorded = made.text;
    recorded.replace(0, recorded.find('('), "record").back() = ',';
    std::size_t records = 0;
    for (const recording::entry& e : all.of({call::record}))
      records += e.text.starts_with(recorded) ? 1U : 0U;
    CHECK(records >= batches / 2 - 1);
  }
}

TEST_CASE("a result is the user's until they come back") {
  subject<pairs> s;
  s.w.jitter(5);
  auto run = s.pipeline.run(s.source());
  std::size_t b = 0;
  while (run.next()) {
    s.w.settle();  // as far as it can come
    CHECK(run.result() == expected(number_of_batch(b++)));
  }
  CHECK(b == batches);
  CHECK(s.breaches().empty());
}

}  // namespace
