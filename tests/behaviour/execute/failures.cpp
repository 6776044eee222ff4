// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Errors lose nothing: an exception at every task and batch, runs left early, runs misused.

#include <doctest/doctest.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <set>
#include <stdexcept>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include "../../support/tested.hpp"
#include "deadline.hpp"
#include "recorded.hpp"

namespace {

using namespace recording;

void check_original(const record& log, const std::exception_ptr& original, std::size_t batch) {
  try {
    std::rethrow_exception(original);
  } catch (const planned_fault& f) {
    CHECK(log.standard);
    CHECK(f.batch == batch);
  } catch (int thrown) {
    CHECK_FALSE(log.standard);
    CHECK(thrown == static_cast<int>(batch));
  }
}

template <class Subject>
void check_fault(Subject& s, std::string_view task, std::size_t lag, std::size_t batch) {
  auto& log = s.log;
  auto& pipeline = s.pipeline;
  CAPTURE(task);
  CAPTURE(batch);
  log.fail_at(std::string(task), batch);
  std::size_t delivered = 0;
  bool thrown = false;
  try {
    for (const int r : pipeline.run(s.source())) CHECK(r == s.result_of(delivered++));
  } catch (const st::task_error& error) {
    thrown = true;
    CHECK(error.task() == task);
    CHECK(error.batch() == batch);
    CHECK(error.progress() == batch + lag);
    const std::string what = error.what();
    CHECK(what.find("`" + std::string(task) + "`") != std::string::npos);
    CHECK(what.find("batch " + std::to_string(batch)) != std::string::npos);
    CHECK(what.find("progress " + std::to_string(batch + lag)) != std::string::npos);
    check_original(s.log, error.nested_ptr(), batch);
  }
  REQUIRE(thrown);
  s.check_report(delivered, 1);
  // Nothing ran that needs what failed.
  const std::string_view needed_by = task == "pull" ? "abcde"
                                     : task == "a"  ? "bcde"
                                     : task == "d"  ? "e"
                                     : task == "e"  ? ""
                                                    : "de";
  for (std::size_t t = 0; t < names.size(); ++t)
    if (needed_by.find(names[t]) != std::string_view::npos) CHECK_FALSE(log.has_run(t, batch));
  const auto& report = pipeline.report();
  CHECK(delivered == report.finished);  // what was complete came first
  CHECK(report.end == st::run_end::failed);
  CHECK(report.failures.at(0).task == task);
  CHECK(report.failures.at(0).batch == batch);
  CHECK(report.failures.at(0).progress == batch + lag);
  check_original(s.log, report.failures.at(0).error, batch);

  CHECK_THROWS_AS(static_cast<void>(pipeline.run(s.source())), st::usage_error);
  CHECK(pipeline.report().failures.size() == 1);  // still there
  pipeline.reset();
  s.check_whole_run();
}

template <class Schedule, class Pace>
void check_every_fault_at(bool attaches = false) {
  const deadline limit("a failing run");
  subject<Schedule, Pace> s(attaches);
  constexpr auto& plan = st::plan_of<Schedule>;
  for (const bool standard : {true, false}) {
    s.log.standard = standard;
    for (std::size_t batch = 0; batch < batches; ++batch)
      for (std::size_t t = 0; t < names.size(); ++t) check_fault(s, names[t], plan.lag[t], batch);
    for (std::size_t batch = 0; batch <= batches; ++batch) check_fault(s, "pull", 0, batch);
  }
}

template <class Schedule>
void check_every_fault(bool attaches = false) {
  check_every_fault_at<Schedule, st::run_ahead>(attaches);
  check_every_fault_at<Schedule, st::barrier>(attaches);
}

TEST_CASE("every fault: on the calling thread") {
  check_every_fault_at<st::replan<loop, st::threads<st::on_caller>>, st::run_ahead>();
}
TEST_CASE("every fault: the serial plan") {
  check_every_fault_at<st::serial<loop>, st::run_ahead>();
}
TEST_CASE("every fault: by stream") { check_every_fault<loop>(); }
TEST_CASE("every fault: per task") {
  check_every_fault<st::replan<loop, st::threads<st::per_task>>>();
}
TEST_CASE("every fault: the calling thread runs a group") {
  check_every_fault<st::replan<loop, st::caller_runs<"s">>>();
}
TEST_CASE("every fault: a task on three workers") {
  check_every_fault<st::replan<fed, st::workers<"host", 3>>>();
}
TEST_CASE("every fault: the source on a thread of its own, further ahead") {
  check_every_fault<fed>();
}
TEST_CASE("every fault: all groups on user threads") {
  check_every_fault<st::replan<fed, st::workers<"host", 3>>>(true);
  check_every_fault<fed>(true);
}

template <class Schedule, class Pace>
void check_complete_first() {
  // e finishes batch 1 on its thread, and then b fails on batch 2 on another.
  const deadline limit("a result along with a failure");
  subject<Schedule, Pace> s;
  s.log.fail_at("b", 2);
  s.log.after_e = true;
  {
    auto run = s.pipeline.run(s.source());
    std::size_t got = 0;
    const auto step_on = [&] {
      while (run.has_more())
        if (run.progress()) {
          CHECK(run.batch() == got);
          CHECK(run.result() == subject<loop>::result_of(got));
          ++got;
        }
    };
    CHECK_THROWS_AS(step_on(), st::task_error);
    CHECK(got == 2);
    if (Pace::meets) CHECK(s.log.pulled == 4);  // nothing went on after the error
    CHECK(s.log.pulled <= got + st::in_flight<Schedule>);
    CHECK_FALSE(run.has_more());
    CHECK_FALSE(run.progress());
    CHECK_FALSE(run.next());
    s.check_report(2, 1);
  }
  s.pipeline.reset();
  s.log.fail_at("b", 2);
  s.log.after_e = true;
  std::size_t got = 0;
  const auto all = [&] {
    for (const int r : s.pipeline.run(s.source())) CHECK(r == subject<loop>::result_of(got++));
  };
  CHECK_THROWS_AS(all(), st::task_error);
  CHECK(got == 2);
  s.check_report(2, 1);
}

TEST_CASE("a result that became complete in the progress that failed comes before the error") {
  check_complete_first<loop, st::barrier>();
  check_complete_first<loop, st::run_ahead>();
  check_complete_first<st::replan<loop, st::threads<st::per_task>>, st::barrier>();
  check_complete_first<st::replan<loop, st::threads<st::per_task>>, st::run_ahead>();
}

// Two tasks of one progress that fail at once: each waits until the other is there, then throws.

struct meeting {
  std::atomic<int> arrived{0};
  void fail_together(const char* what) {
    arrived.fetch_add(1);
    while (arrived.load() < 2) std::this_thread::yield();
    throw std::runtime_error(what);
  }
};
struct one {
  static constexpr int lookahead = 1;
  meeting* place;
  void operator()(st::context auto& ctx) const {
    if (ctx.batch() == 3) place->fail_together("one failed");
  }
};
struct two {
  meeting* place;
  void operator()(st::context auto& ctx) const {
    if (ctx.batch() == 2) place->fail_together("two failed");
  }
};

TEST_CASE("two tasks fail in one progress: both are reported, one is thrown") {
  const deadline limit("two failures");
  using schedule = st::replan<st::schedule<st::source<raw>, one, two>, st::threads<st::per_task>>;
  meeting place;
  tested::pipeline<schedule> pipeline{one{&place}, two{&place}};
  for (int repeat = 0; repeat < 20; ++repeat) {
    place.arrived = 0;
    std::size_t delivered = 0;
    try {
      for (const std::size_t batch : pipeline.run(std::vector<int>(10)))
        CHECK(batch == delivered++);
      FAIL("nothing was thrown");
    } catch (const st::task_error& error) {
      const auto& failures = pipeline.report().failures;
      REQUIRE(failures.size() == 2);
      CHECK(failures[0].task != failures[1].task);
      CHECK(error.task() == failures[0].task);
      for (const auto& f : failures) {
        CHECK(f.progress == 3);
        CHECK(f.batch == (f.task == "one" ? 3 : 2));
        try {
          std::rethrow_exception(f.error);
        } catch (const std::runtime_error& e) {
          CHECK(e.what() == std::string(f.task) + " failed");
        }
      }
    }
    CHECK(delivered == 2);
    CHECK(pipeline.report().finished == 2);
    CHECK(pipeline.report().pulled == 4);
    pipeline.reset();
  }
}

// Misuse.

TEST_CASE("misuse: a second run while one is active is refused, the first goes on unharmed") {
  const deadline limit("a second run");
  const auto check = [](auto&& s) {
    for (int repeat = 0; repeat < 2; ++repeat) {
      s.log.forget();
      auto first = s.pipeline.run(s.source());
      const auto refused = [&] {
        CHECK_THROWS_AS(static_cast<void>(s.pipeline.run(s.source())), st::usage_error);
        CHECK_THROWS_AS(s.pipeline.reset(), st::usage_error);
      };
      refused();
      std::size_t batch = 0;
      while (batch < batches - 1) {
        REQUIRE(first.next());
        CHECK(first.result() == s.result_of(batch++));
        refused();
      }
      REQUIRE(first.next());
      CHECK(first.result() == s.result_of(batch++));
      CHECK_FALSE(first.next());
      s.check_report(batches, 0);
    }
    s.check_whole_run();
  };
  check(subject<loop>());
  check(subject<st::serial<loop>>());
}

TEST_CASE("misuse: a run that is refused leaves its source alone") {
  subject<loop> s;
  s.log.forget();
  const std::vector<int> many(10, 1);
  std::vector<int> source = many;
  {
    auto first = s.pipeline.run(s.source());
    CHECK_THROWS_AS(static_cast<void>(s.pipeline.run(std::move(source))), st::usage_error);
    CHECK(source == many);
  }
  s.log.fail_at("a", 0);
  CHECK_THROWS_AS(s.pipeline.run(s.source()).next(), st::task_error);
  CHECK_THROWS_AS(static_cast<void>(s.pipeline.run(std::move(source))), st::usage_error);
  CHECK(source == many);
}

TEST_CASE("leaving early: the report says what was in flight, and the next run starts afresh") {
  const deadline limit("leaving early");
  const auto check = [](auto&& s) {
    for (std::size_t leave_after = 0; leave_after <= batches; ++leave_after) {
      CAPTURE(leave_after);
      s.log.forget();
      {
        auto run = s.pipeline.run(s.source());
        for (std::size_t n = 0; n < leave_after; ++n) REQUIRE(run.next());
      }
      s.check_report(leave_after, 0);
      CHECK(s.pipeline.report().finished >= leave_after);
      CHECK(s.pipeline.report().pulled <= leave_after + s.in_flight);
      s.check_whole_run();
    }
    // Between results too.
    for (std::size_t progresses = 0; progresses < batches; ++progresses) {
      CAPTURE(progresses);
      s.log.forget();
      std::size_t delivered = 0;
      {
        auto run = s.pipeline.run(s.source());
        for (std::size_t i = 0; i < progresses; ++i) delivered += run.progress() ? 1U : 0U;
      }
      s.check_report(delivered, 0);
      s.check_whole_run();
    }
  };
  check(subject<loop>());
  check(subject<loop, st::barrier>());
  check(subject<fed>());
  check(subject<fed, st::barrier>());
  check(subject<st::replan<loop, st::threads<st::on_caller>>>());
  check(subject<st::serial<loop>>());
}

TEST_CASE("the user's own exception in the loop leaves the run like a break") {
  const deadline limit("a user's exception");
  subject<loop> s;
  s.log.forget();
  const auto loop_once = [&] {
    for (const int r : s.pipeline.run(s.source()))
      if (r == subject<loop>::result_of(2)) throw std::runtime_error("enough");
  };
  CHECK_THROWS_AS(loop_once(), std::runtime_error);
  s.check_report(3, 0);
  s.check_whole_run();
}

// A task that fails while its run is being left.
struct fails_late {
  using stream = st::stream<"s">;
  static constexpr int lookahead = 2;
  std::atomic<int>* stage;
  void operator()(st::context auto& ctx) const {
    if (ctx.batch() != 2 || *stage == 3) return;
    *stage = 1;
    while (*stage != 2) std::this_thread::yield();
    throw std::runtime_error("late");
  }
};

TEST_CASE("a failure while a run is left is reported, and the next run is not refused") {
  const deadline limit("a late failure");
  using schedule = st::schedule<st::source<raw>, st::streams<"s">, fails_late>;
  std::atomic<int> stage{0};
  tested::pipeline<schedule> pipeline{fails_late{&stage}};
  for (int repeat = 0; repeat < 20; ++repeat) {
    stage = 0;
    {
      auto run = pipeline.run(std::vector<int>(10));
      REQUIRE(run.next());
      while (stage != 1) std::this_thread::yield();
      stage = 2;
    }
    const auto& report = pipeline.report();
    CHECK(report.end == st::run_end::left_early);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].batch == 2);
    CHECK(report.delivered == 1);
    CHECK(report.finished == 2);
    CHECK(report.pulled == 3);
    stage = 3;
    std::size_t delivered = 0;
    for (const std::size_t batch : pipeline.run(std::vector<int>(10))) CHECK(batch == delivered++);
    CHECK(delivered == 10);
    CHECK(report.end == st::run_end::completed);
  }
}

TEST_CASE("destroying a pipeline: at once, unused, after a failure, after leaving, mid-error") {
  const deadline limit("a destructor");
  for (int repeat = 0; repeat < 20; ++repeat) {
    {
      const subject<loop> never_run;
    }
    {
      subject<loop> never_advanced;
      { const auto run = never_advanced.pipeline.run(never_advanced.source()); }
    }
    {
      subject<fed> left;
      auto run = left.pipeline.run(left.source());
      REQUIRE(run.next());
    }
    {
      subject<loop> failed;
      failed.log.fail_at("b", 1);
      const auto all = [&] {
        for (const int r : failed.pipeline.run(failed.source())) static_cast<void>(r);
      };
      CHECK_THROWS_AS(all(), st::task_error);
    }
    {
      subject<st::replan<loop, st::threads<st::per_task>>> failing;  // the error is never asked for
      failing.log.fail_at("a", 3);
      auto run = failing.pipeline.run(failing.source());
      REQUIRE(run.next());
    }
  }
}

}  // namespace
