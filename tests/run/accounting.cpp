// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// From where each thread stopped to what became of each batch, worked out by hand.

#include <doctest/doctest.h>
#include <array>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <stretto/run/accounting.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/record.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace runner = stretto::runner;
namespace planner = stretto::planner;
using runner::stopping_point;
using stretto::run_end;
using stretto::run_report;

// `load` one batch ahead of `train`, both on the second thread; the caller pulls and delivers.
struct pipeline {
  static constexpr std::size_t load = 0, train = 1, pull = 2, deliver = 3;
  std::array<std::string_view, 4> names{"load", "train", "pull", "deliver"};
  std::array<std::size_t, 4> order{pull, load, train, deliver};
  std::array<std::size_t, 4> lag{0, 1, 0, 1};
  std::array<std::size_t, 4> thread_of{1, 1, 0, 0};
  std::array<std::size_t, 4> chained{pull, deliver, load, train};
  std::array<planner::range, 2> chains{planner::range{0, 2}, planner::range{2, 4}};
  std::array<std::size_t, 2> workers{1, 1};
  std::array<std::size_t, 4> place{};
  std::vector<stopping_point> stopped{};
  std::vector<runner::passed_over> passed{};  // by node, for each of its workers
  std::size_t batches = 0;
  std::size_t first = 0;

  runner::run_accounting accounting() {
    runner::find_places(chained, chains, place.data());
    std::size_t runners = 0;
    for (const std::size_t thread : thread_of) runners += workers[thread];
    passed.resize(runners);
    return {names,   order,   lag,   thread_of, chained, chains,
            workers, stopped, place, passed,    batches, first};
  }
};

stopping_point at(std::size_t progress, std::size_t place, std::size_t failed = planner::none) {
  stopping_point p;
  p.progress = progress;
  p.place = place;
  if (failed != planner::none)
    p.failure = {failed, std::make_exception_ptr(std::runtime_error("broken")), progress, progress};
  return p;
}

using ran = std::vector<std::string>;

}  // namespace

TEST_CASE("a node has finished the batches of the progresses that its thread is through with") {
  pipeline p;
  p.stopped = {at(3, 0), at(2, 1)};  // the second thread has loaded in its third progress
  p.batches = 3;
  const runner::run_accounting all = p.accounting();
  CHECK(p.place == std::array<std::size_t, 4>{0, 1, 0, 1});
  CHECK(all.finished_by(pipeline::load) == 3);
  CHECK(all.finished_by(pipeline::train) == 1);
  CHECK(all.finished_by(pipeline::pull) == 3);
  CHECK(all.finished_by(pipeline::deliver) == 2);
  CHECK(all.has_finished(pipeline::load, 2));
  CHECK_FALSE(all.has_finished(pipeline::load, 3));  // there is no such batch
  p.batches = 2;
  CHECK(all.has_finished(pipeline::load, 1));
  CHECK_FALSE(p.accounting().has_finished(pipeline::load, 2));
  CHECK(p.accounting().finished_by(pipeline::load) == 2);
  CHECK(all.has_finished(pipeline::train, 0));
  CHECK_FALSE(all.has_finished(pipeline::train, 1));
}

TEST_CASE("a slot holds a batch from its filling until the copy is begun on again") {
  pipeline p;
  p.stopped = {at(3, 0), at(2, 0, pipeline::load)};  // loading batch 2 failed
  p.batches = 3;
  const runner::run_accounting all = p.accounting();
  CHECK_FALSE(all.has_finished(pipeline::load, 2));
  CHECK(all.has_begun(pipeline::load, 2));
  CHECK_FALSE(all.has_begun(pipeline::train, 1));
  CHECK(all.holds(pipeline::load, 1, 2));
  CHECK_FALSE(all.holds(pipeline::load, 0, 2));  // batch 2 was to come there
  CHECK(all.holds(pipeline::load, 0, 3));
  CHECK_FALSE(all.holds(pipeline::load, 2, 2));
}

TEST_CASE("batches that were through when the threads set out anew are finished") {
  pipeline p;
  p.first = 6;
  p.batches = 8;
  p.stopped = {at(7, 0), at(6, 0)};  // the second thread has done nothing since
  CHECK(p.accounting().finished_by(pipeline::load) == 6);
  CHECK(p.accounting().finished_by(pipeline::train) == 6);
  CHECK(p.accounting().finished_by(pipeline::pull) == 7);
  CHECK(p.accounting().has_finished(pipeline::train, 5));
  CHECK_FALSE(p.accounting().has_finished(pipeline::train, 6));
  p.stopped = {at(8, 0), at(7, 1)};
  CHECK(p.accounting().finished_by(pipeline::load) == 8);
  CHECK(p.accounting().finished_by(pipeline::train) == 6);
  CHECK(p.accounting().has_finished(pipeline::load, 7));
}

TEST_CASE("workers: without a gap is as far as the one that is furthest behind lets them") {
  pipeline p;
  p.workers = {1, 2};
  p.batches = 10;
  const auto loaded = [&](std::size_t first, std::size_t second) {
    p.stopped = {at(10, 0), at(first, 0), at(second, 0)};
    return p.accounting().finished_by(pipeline::load);
  };
  CHECK(loaded(4, 1) == 1);  // the first ran 0 and 2, the second nothing
  CHECK(loaded(4, 3) == 3);
  CHECK(loaded(3, 5) == 4);  // the first is to run 4, not 3
  CHECK(loaded(0, 9) == 0);
  p.stopped = {at(10, 0), at(4, 1), at(5, 0)};  // the first has loaded in its progress 4
  CHECK(p.accounting().finished_by(pipeline::load) == 5);
  CHECK(p.accounting().has_finished(pipeline::load, 4));
  CHECK_FALSE(p.accounting().has_finished(pipeline::load, 5));
}

TEST_CASE("a report: what was pulled, what is in flight and how far, who failed") {
  pipeline p;
  p.stopped = {at(4, 1), at(2, 1, pipeline::train)};  // pulled once more than it delivered
  p.batches = 4;
  runner::detail::run_record record;
  record.restart(2);
  record.tell(p.accounting(), {run_end::none, run_end::completed, 1}, false);
  const run_report& report = record.report(2, p.accounting());
  CHECK(report.end == run_end::failed);
  CHECK(report.pulled == 4);
  CHECK(report.finished == 1);
  CHECK(report.delivered == 1);
  REQUIRE(report.in_flight.size() == 3);
  CHECK(report.in_flight[0].batch == 1);
  CHECK(report.in_flight[0].ran == ran{"load"});
  CHECK(report.in_flight[1].ran == ran{"load"});
  CHECK(report.in_flight[2].batch == 3);
  CHECK(report.in_flight[2].ran.empty());
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].task == "train");
  CHECK(report.failures[0].batch == 1);
  CHECK(report.failures[0].progress == 2);
  CHECK(report.holds(1));
  CHECK_FALSE(report.holds(0));
  CHECK_FALSE(report.holds(4));

  record.restart(2);
  CHECK(report.end == run_end::none);
  CHECK(report.failures.empty());
  CHECK(report.in_flight.empty());
  CHECK(report.pulled == 0);

  runner::detail::kept_report kept;  // whose run ended well, before the device failed
  kept.restart(2);
  runner::fail_at_end(kept.report, std::make_exception_ptr(std::runtime_error("device")));
  REQUIRE(kept.report.failures.size() == 1);
  kept.restart(2);
  CHECK(kept.report.failures.empty());
}

TEST_CASE("what a thread passed over because the run ended before, it has not finished") {
  pipeline p;
  // Training batch 2 failed, in progress 3. Both threads went on to progress 5, and batch 3, which
  // had been loaded by then, was not trained any more; batch 4 was not loaded, nor was it pulled.
  p.stopped = {at(5, 0), at(5, 0)};
  p.stopped[1].failure = {pipeline::train, std::make_exception_ptr(std::runtime_error("broken")), 3,
                          11};
  p.batches = 100;  // the source has not ended
  runner::run_accounting all = p.accounting();
  p.passed[pipeline::pull] = {4, false};
  p.passed[pipeline::load] = {4, false};
  p.passed[pipeline::train] = {2, true};
  p.passed[pipeline::deliver] = {2, false};
  CHECK(all.finished_by(pipeline::pull) == 4);
  CHECK(all.finished_by(pipeline::load) == 4);
  CHECK(all.finished_by(pipeline::train) == 2);
  CHECK(all.has_finished(pipeline::train, 1));
  CHECK_FALSE(all.has_finished(pipeline::train, 2));
  CHECK_FALSE(all.has_finished(pipeline::train, 3));
  CHECK(all.has_begun(pipeline::train, 2));  // and failed
  CHECK_FALSE(all.has_begun(pipeline::train, 3));
  runner::detail::run_record record;
  const run_report& report = record.report(2, all);
  record.restart(2);
  record.tell(all, {run_end::none, run_end::completed, 2}, false);
  CHECK(report.end == run_end::failed);
  CHECK(report.pulled == 4);
  CHECK(report.finished == 2);
  CHECK(report.delivered == 2);
  REQUIRE(report.in_flight.size() == 2);
  CHECK(report.in_flight[0].ran == ran{"load"});
  CHECK(report.in_flight[1].ran == ran{"load"});
  CHECK(report.failures.at(0).batch == 2);
  // Left before anybody was told.
  record.restart(2);
  record.tell(all, {run_end::left_early, run_end::completed, 1, 0, 0, true}, false);
  CHECK(report.end == run_end::left_early);
  CHECK(report.failures.size() == 1);
}

TEST_CASE("of several failures the one of the earliest place is first") {
  pipeline p;
  p.stopped = {at(5, 0, pipeline::pull), at(3, 1, pipeline::train)};
  p.batches = 5;
  runner::detail::run_record record;
  const run_report& report = record.report(2, p.accounting());  // before there is something to say
  CHECK(report.end == run_end::none);
  record.tell(p.accounting(), {}, false);
  REQUIRE(report.failures.size() == 2);
  CHECK(report.failures[0].task == "train");
  CHECK(report.failures[1].task == "pull");
  CHECK(report.failures[1].batch == 5);
  CHECK(runner::detail::first_failure(p.accounting()) == &p.stopped[1]);
  CHECK_THROWS_WITH_AS(runner::detail::throw_first_failure(p.accounting()),
                       "task `train` failed on batch 2 (progress 3): broken", stretto::task_error);
}

TEST_CASE("a run that was stopped with nothing left to stop is what it would have been") {
  pipeline p;
  p.stopped = {at(3, 0), at(3, 0)};
  p.batches = 2;
  const auto end_of = [&](runner::detail::ending how) {
    const runner::detail::run_numbers numbers = runner::detail::numbers_of(p.accounting(), how);
    CHECK(numbers.finished == 2);
    return numbers.end;
  };
  CHECK(end_of({run_end::cancelled, run_end::completed, 2}) == run_end::completed);
  CHECK(end_of({run_end::cancelled, run_end::drained, 2}) == run_end::drained);
  CHECK(end_of({run_end::left_early, run_end::completed, 2}) == run_end::completed);
  CHECK(end_of({run_end::left_early, run_end::completed, 1}) == run_end::left_early);
  CHECK(end_of({run_end::drained, run_end::completed, 2}) == run_end::drained);
  p.batches = 3;
  p.stopped = {at(3, 0), at(3, 0)};
  CHECK(end_of({run_end::cancelled, run_end::completed, 2}) == run_end::cancelled);
}

TEST_CASE("when the device has failed nothing is known of what was not handed out") {
  run_report report;
  report.pulled = 5;
  report.finished = 3;
  report.delivered = 1;
  report.in_flight = {{3, {"load"}}, {4, {}}};
  runner::detail::discard(report, 1, std::make_exception_ptr(std::runtime_error("device")));
  CHECK(report.finished == 1);
  CHECK(report.end == run_end::failed);
  REQUIRE(report.in_flight.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(report.in_flight[i].batch == i + 1);
  CHECK(report.in_flight[2].ran == ran{"load"});
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].task == "deliver");
  CHECK(report.failures[0].batch == 1);

  // A task that failed of it is the reason already.
  runner::detail::discard(report, 1, std::make_exception_ptr(std::runtime_error("again")));
  CHECK(report.failures.size() == 1);

  run_report later;  // of a run that went on
  later.first = 10;
  later.pulled = later.finished = 3;
  runner::detail::discard(later, 1, std::make_exception_ptr(std::runtime_error("device")));
  REQUIRE(later.in_flight.size() == 2);
  CHECK(later.in_flight[0].batch == 11);
  CHECK(later.failures[0].batch == 11);
}
