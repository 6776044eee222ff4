// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thread>
#include "fixture.hpp"

namespace {

TEST_CASE_FIXTURE(fixture, "the nth call of a kind fails, once, and does nothing") {
  const auto s = stream("s");
  const auto e = event();
  w.fail(call::record, 1, status::launch_out_of_resources);
  CHECK(d.record(e, s) == status::success);
  d.synchronize_event(e);
  CHECK(w.faults_left() == 1);
  w.pause(s);
  CHECK(d.record(e, s) == status::launch_out_of_resources);
  CHECK(w.faults_left() == 0);
  CHECK(d.query(e) == status::success);  // of the record before
  CHECK(d.record(e, s) == status::success);
  CHECK(d.query(e) == status::not_ready);
  w.resume(s);
  CHECK(w.logged().count("record(e0, s)") == 2);
  CHECK(w.logged().count("record(e0, s) -> cudaErrorLaunchOutOfResources") == 1);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "the k-th call of all fails") {
  const auto s = stream("s");
  const auto e = event();
  CHECK(w.count_calls() == 2);
  w.fail_at(2, status::unknown);
  CHECK(d.record(e, s) == status::success);
  CHECK(d.wait(s, e) == status::success);
  CHECK(d.query(e) == status::unknown);
  CHECK(w.count_calls() == 5);
  CHECK(w.count_calls(call::record) == 1);
  d.synchronize_event(e);
  CHECK(d.query(e) == status::success);
}

TEST_CASE_FIXTURE(fixture, "a failed allocation gives nothing") {
  const auto s = stream("s");
  void* at = nullptr;
  w.fail(call::allocate, 0, status::memory_allocation);
  CHECK(d.allocate(at, 8, s) == status::memory_allocation);
  CHECK(at == nullptr);
  d.destroy_stream(s);
  CHECK(leaks().empty());
}

TEST_CASE_FIXTURE(fixture, "more memory than there is is no breach, and not there") {
  const auto s = stream("s");
  void* at = &at;
  CHECK(d.allocate(at, std::size_t{1} << 42U, s) == status::memory_allocation);
  CHECK(at == nullptr);
  CHECK(d.last_error() == status::memory_allocation);
  CHECK(d.allocate_pinned(at, std::size_t{1} << 42U) == status::memory_allocation);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "giving back and waiting are done even if they report an error") {
  const auto s = stream("s");
  const auto e = event();
  d.record(e, s);
  w.fail(call::synchronize_stream, 0, status::unknown);
  w.fail(call::destroy_event, 0, status::unknown);
  w.fail(call::destroy_stream, 0, status::unknown);
  d.enqueue(
      s, [] {}, "k");
  CHECK(d.synchronize_stream(s) == status::unknown);
  CHECK(ran() == "k ");
  CHECK(d.destroy_event(e) == status::unknown);
  CHECK(d.destroy_stream(s) == status::unknown);
  CHECK(leaks().empty());
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "a capture that fails to end has ended, and leaves no graph") {
  const auto s = stream("s");
  recording::graph g = nullptr;
  d.begin_capture(s);
  w.fail(call::end_capture, 0, status::unknown);
  CHECK(d.end_capture(s, g) == status::unknown);
  CHECK(g == nullptr);
  CHECK(leaks() == "s was not destroyed\n");
  CHECK(d.synchronize_stream(s) == status::success);
}

TEST_CASE_FIXTURE(fixture, "what failed is left behind for the thread, until it asks") {
  const auto s = stream("s");
  const auto e = event();
  w.fail(call::record, 0, status::unknown);
  d.record(e, s);
  std::thread([&] { CHECK(d.last_error() == status::success); }).join();
  CHECK(d.last_error() == status::unknown);
  CHECK(d.last_error() == status::success);

  CHECK(d.enqueue_refused(s, status::invalid_configuration, "k") == status::invalid_configuration);
  CHECK(w.logged().work().text() == "kernel(s, \"k\") -> cudaErrorInvalidConfiguration\n");
  CHECK(d.record(e, s) == status::success);
  CHECK(d.last_error() == status::invalid_configuration);
  CHECK(d.last_error() == status::success);

  w.pause(s);
  d.record(e, s);
  CHECK(d.query(e) == status::not_ready);
  CHECK(d.last_error() == status::success);
  w.resume(s);

  w.fail(call::last_error, 0, status::invalid_configuration);
  CHECK(d.last_error() == status::invalid_configuration);
  CHECK(d.last_error() == status::success);
}

TEST_CASE_FIXTURE(fixture, "a sticky error loses the device: all calls fail, work is dropped") {
  const auto s = stream("s");
  const auto e = event();
  d.record(e, s);
  w.pause(s);
  d.enqueue(
      s, [] { FAIL("runs"); }, "dropped");
  w.fail(call::record, 0, status::illegal_address);
  CHECK(d.record(e, s) == status::illegal_address);
  CHECK(recording::driver::sticky(status::illegal_address));
  CHECK(d.synchronize_stream(s) == status::illegal_address);  // and ends, though the stream pauses
  CHECK(d.query(e) == status::illegal_address);
  CHECK(d.last_error() == status::illegal_address);
  CHECK(d.last_error() == status::illegal_address);
  CHECK(d.enqueue(
            s, [] { FAIL("runs"); }, "refused") == status::illegal_address);
  void* at = nullptr;
  CHECK(d.allocate_pinned(at, 8) == status::illegal_address);
  CHECK(d.destroy_event(e) == status::illegal_address);
  CHECK(d.destroy_stream(s) == status::illegal_address);
  CHECK(leaks().empty());
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "a kernel fails while it runs, and a later call says so") {
  const auto s = stream("s");
  const auto e = event();
  w.pause(s);
  SUBCASE("for good") {
    CHECK(d.enqueue_failing(s, status::assertion, "k") == status::success);
    CHECK(d.record(e, s) == status::success);
    CHECK(d.query(e) == status::not_ready);
    CHECK(d.last_error() == status::success);
    d.enqueue(
        s, [] { FAIL("runs"); }, "dropped");
    w.resume(s);
    CHECK(d.synchronize_event(e) == status::assertion);
    CHECK(d.query(e) == status::assertion);
  }
  SUBCASE("once") {
    d.enqueue_failing(s, status::unknown, "k");
    d.enqueue(
        s, [] {}, "runs all the same");
    w.resume(s);
    CHECK(d.synchronize_stream(s) == status::unknown);
    CHECK(d.synchronize_stream(s) == status::success);
    CHECK(ran() == "k runs all the same ");
  }
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "memory of a lost device is given back, whoever used it") {
  const auto s = stream("s");
  void* const pinned = pinned_memory(8);
  void* const at = device_memory(8, s);
  w.pause(s);
  d.copy(s, at, pinned, 8);
  w.fail(call::query, 0, status::illegal_address);
  const auto e = event();
  d.record(e, s);
  CHECK(d.query(e) == status::illegal_address);
  d.free_pinned(pinned);
  d.free(at, s);
  d.destroy_event(e);
  d.destroy_stream(s);
  CHECK(leaks().empty());
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "a call that is ignored does nothing and says that all is well") {
  const auto a = stream("a"), b = stream("b");
  const auto e = event();
  d.enqueue(
      a, [] {}, "first");
  d.record(e, a);
  w.ignore(call::wait, 0);
  CHECK(d.wait(b, e) == status::success);
  d.enqueue(
      b, [] {}, "second");
  CHECK_FALSE(w.ordered("first", "second"));
  d.wait(b, e);
  d.enqueue(
      b, [] {}, "third");
  CHECK(w.ordered("first", "third"));
}

}  // namespace
