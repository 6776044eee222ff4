// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The device refuses a call: each one in turn. Nothing hangs, leaks or races, and the error says
// which task, which batch and which call.

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include "pairs.hpp"

namespace {

using namespace on_recording;
using namespace paired;
using device_error = st::device::error;

constexpr std::size_t few = 5;

/// The device's error at the bottom of what was thrown; null if there is none.
const device_error* device_error_in(const std::exception& thrown, std::exception_ptr& keep) {
  if (const auto* here = dynamic_cast<const device_error*>(&thrown)) return here;
  const auto* const outer = dynamic_cast<const std::nested_exception*>(&thrown);
  if (outer == nullptr || outer->nested_ptr() == nullptr) return nullptr;
  keep = outer->nested_ptr();
  try {
    std::rethrow_exception(keep);
  } catch (const std::exception& inner) {
    std::exception_ptr deeper = keep;
    const device_error* const found = device_error_in(inner, deeper);
    keep = deeper;
    return found;
  } catch (...) {
    return nullptr;
  }
}

/// The call that failed first; null if none.
const recording::entry* first_failed(const recording::log& all) {
  for (const recording::entry& e : all)
    if (e.call && e.result != status::success && e.result != status::not_ready) return &e;
  return nullptr;
}

std::string_view stream_of(std::string_view task) {
  return task == "upload" ? "up" : task == "compute" ? "compute" : task == "fetch" ? "down" : "";
}

/// Whether an error that was thrown tells of a call that failed. (When the device is lost, several
/// threads hear of it at the same time.)
bool tells_of(const recording::entry& failed, const device_error& e, const st::task_error* task) {
  if (failed.result == status::success || e.call() != recording::name_of(*failed.call))
    return false;
  const bool by_task = *failed.call == call::record || *failed.call == call::wait;
  return !by_task || (task != nullptr && (stream_of(task->task()) == failed.stream_name ||
                                          failed.stream_name == "serial"));
}

void check_error(const recording::log& all, const std::exception& thrown, status given) {
  CAPTURE(std::string(thrown.what()));
  std::exception_ptr keep;
  const device_error* const e = device_error_in(thrown, keep);
  REQUIRE(e != nullptr);
  CHECK(e->code() == static_cast<int>(given));
  CHECK(e->sticky() == sticky(given));
  CHECK(std::string(e->what()).find(recording::name_of(given)) != std::string::npos);
  const auto* const task = dynamic_cast<const st::task_error*>(&thrown);
  if (task != nullptr) {
    CHECK(task->batch() < few + 3);
    CHECK(std::string(thrown.what()).find(e->what()) != std::string::npos);
  }
  bool told = false;
  for (const recording::entry& c : all)
    if (c.call && (sticky(given) || &c == first_failed(all))) told |= tells_of(c, *e, task);
  CHECK(told);
}

/// A run in which the k-th call fails. False: there are fewer calls.
template <class Schedule>
bool check_fault_in_a_run(std::size_t k, status how, unsigned seed) {
  CAPTURE(k);
  {
    subject<Schedule> s;
    if (seed != 0) s.w.jitter(seed);
    s.w.take_log();
    s.w.fail_at(k, how);
    std::size_t yielded = 0;
    bool thrown = false;
    try {
      for (const long r : s.pipeline.run(s.source(few)))
        CHECK(r == expected(number_of_batch(yielded++)));
    } catch (const std::exception& e) {
      thrown = true;
      CHECK(s.w.idle());  // whatever was submitted is done
      check_error(s.w.logged(), e, how);
    }
    CHECK(s.breaches().empty());
    if (s.w.faults_left() != 0) {
      CHECK(yielded == few);
      return false;
    }
    // What only restores the calling thread's device, or clears what was left behind, may fail.
    const recording::log all = s.w.take_log();
    const recording::entry* const failed = first_failed(all);
    REQUIRE(failed != nullptr);
    CAPTURE(failed->text);
    if (!thrown) {
      CHECK(yielded == few);
      CHECK(*failed->call == call::last_error);
    }
    if (thrown) {
      CHECK(s.pipeline.report().end == st::run_end::failed);
      CHECK_THROWS_AS(static_cast<void>(s.pipeline.run(s.source())), st::usage_error);
      s.pipeline.reset();
    }
    if (sticky(how)) {
      CHECK_THROWS_AS(s.check_run(), std::exception);
    } else {
      s.check_run();
    }
    CHECK(s.breaches().empty());
  }
  return true;
}

template <class Schedule>
void check_faults_in_runs(status how) {
  for (const unsigned seed : {0U, 1U}) {
    std::size_t k = 0;
    while (check_fault_in_a_run<Schedule>(k, how, seed)) ++k;
    CHECK(k > 40);
  }
}

TEST_CASE("each call of a run is refused once: on the calling thread") {
  check_faults_in_runs<alone>(status::launch_out_of_resources);
}
TEST_CASE("each call of a run is refused once: a thread for each stream") {
  check_faults_in_runs<pairs>(status::launch_out_of_resources);
}
TEST_CASE("each call of a run is refused once: one batch after the other") {
  check_faults_in_runs<st::serial<pairs>>(status::launch_out_of_resources);
}
TEST_CASE("the device is lost at each call of a run: on the calling thread") {
  check_faults_in_runs<alone>(status::illegal_address);
}
TEST_CASE("the device is lost at each call of a run: a thread for each stream") {
  check_faults_in_runs<pairs>(status::illegal_address);
}

TEST_CASE("each call of a pipeline's making is refused, and what was made by then is given back") {
  std::size_t k = 0;
  for (bool left = true; left; ++k) {
    CAPTURE(k);
    fixture f;
    f.w.fail_at(k, status::memory_allocation);
    bool thrown = false;
    try {
      const tested::pipeline<pairs, device> p(stage{f.w}, fetch{f.d}, check{f.w}, f.d);
      left = f.w.faults_left() == 0;
    } catch (const device_error& e) {
      thrown = true;
      check_error(f.w.logged(), e, status::memory_allocation);
    }
    CHECK(f.leaks().empty());
    CHECK(f.breaches().empty());
    if (left && !thrown) {
      const recording::log all = f.w.logged();
      const recording::entry* const failed = first_failed(all);
      REQUIRE(failed != nullptr);
      CAPTURE(failed->text);
      CHECK((failed->text.starts_with("destroy_") || failed->text.starts_with("set_device")));
    }
  }
  CHECK(k > 10);
}

TEST_CASE("each call of a run is refused, and all is given back") {
  for (std::size_t k = 0, left = 0; left == 0; ++k) {
    CAPTURE(k);
    fixture f;
    {
      tested::pipeline<pairs, device> p(stage{f.w}, fetch{f.d}, check{f.w}, f.d);
      std::size_t b = 0;
      const auto source = [&](long& to) {
        to = number_of_batch(b);
        return b++ < few;
      };
      f.w.fail_at(k, status::memory_allocation);
      try {
        for (const long r : p.run(source)) static_cast<void>(r);
      } catch (const std::exception&) {
      }
    }
    left = f.w.faults_left();
    CHECK(f.leaks().empty());
    CHECK(f.breaches().empty());
  }
}

TEST_CASE("each call of a pipeline's end fails, and all is given back") {
  std::size_t k = 0;
  for (bool left = true; left; ++k) {
    CAPTURE(k);
    fixture f;
    {
      tested::pipeline<pairs, device> p(stage{f.w}, fetch{f.d}, check{f.w}, f.d);
      std::size_t b = 0;
      for (const long r : p.run([&](long& to) {
             to = number_of_batch(b);
             return b++ < few;
           }))
        static_cast<void>(r);
      f.w.fail_at(k, status::unknown);
    }
    left = f.w.faults_left() == 0;
    CHECK(f.leaks().empty());
    CHECK(f.breaches().empty());
  }
  CHECK(k > 10);
}

}  // namespace
