// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How errors of a device, which turn up late, get into the report of a run.

#include <doctest/doctest.h>
#include <exception>
#include <stdexcept>
#include <stretto/run/device_outcome.hpp>
#include <string>
#include <utility>

namespace {

using stretto::runner::device_outcome;

std::exception_ptr error(const char* what) {
  return std::make_exception_ptr(std::runtime_error(what));
}

struct device {
  std::exception_ptr next{};
  int given_back = 0;
  std::exception_ptr synchronize() { return std::exchange(next, nullptr); }
  void give_device_back() { ++given_back; }
};

std::string what(const stretto::run_report::failure& f) {
  try {
    std::rethrow_exception(f.error);
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("an error of tasks is told once, and the device kept for work on the last result") {
  device d{error("late")};
  device_outcome outcome;
  outcome.synchronize_tasks(d, true);
  CHECK(d.given_back == 0);
  stretto::run_report report;
  report.finished = 2;
  outcome.tell(report, 2);
  REQUIRE(report.failures.size() == 1);
  CHECK(what(report.failures[0]) == "late");
  CHECK(report.end == stretto::run_end::failed);
  outcome.tell(report, 2);
  CHECK(report.failures.size() == 1);
  stretto::run_report another;
  outcome.tell(another, 0);
  CHECK(another.failures.empty());
  outcome.synchronize_tasks(d, false);
  CHECK(d.given_back == 1);
  outcome.tell(report, 2);
  CHECK(report.failures.size() == 1);
}

TEST_CASE("who has ended the device's work is the reason for what it says") {
  device d{error("consequence")};
  device_outcome outcome;
  outcome.synchronize_tasks(d, false);
  outcome.ended_by(error("cause"));
  stretto::run_report report;
  outcome.tell(report, 0);
  REQUIRE(report.failures.size() == 1);
  CHECK(what(report.failures[0]) == "cause");
}

TEST_CASE("of errors of work on results the first counts, and is told with the last result") {
  device d;
  device_outcome outcome;
  stretto::run_report report;
  CHECK_FALSE(outcome.synchronize_last_result(d, report));
  CHECK(d.given_back == 1);
  d.next = error("first");
  outcome.synchronize_results(d);
  d.next = error("second");
  CHECK(outcome.synchronize_last_result(d, report));
  REQUIRE(report.failures.size() == 1);
  CHECK(what(report.failures[0]) == "first");
  CHECK_FALSE(outcome.synchronize_last_result(d, report));
}
