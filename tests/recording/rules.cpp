// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include "fixture.hpp"

namespace {

TEST_CASE_FIXTURE(fixture, "an event that was never recorded is not waited for") {
  const auto s = stream("s");
  const auto e = event();
  CHECK(d.wait(s, e) == status::success);
  CHECK(breaches() == "wait(s, e0): was never recorded\n");
  CHECK(d.synchronize_event(e) == status::success);
  CHECK(breaches() == "synchronize_event(e0): was never recorded\n");
  CHECK(d.query(e) == status::success);
  CHECK(breaches() == "query(e0): was never recorded\n");
  d.record(e, s);
  d.wait(s, e);
  d.synchronize_event(e);
  d.query(e);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "an event that is made without timing tells no time") {
  const auto s = stream("s");
  const auto e = event(), timed = timed_event();
  d.record(e, s);
  d.record(timed, s);
  w.settle();
  float ms = 0;
  CHECK(d.elapsed_time(ms, timed, e) == status::invalid_resource_handle);
  CHECK(breaches() == "elapsed_time(e1, e0): made without timing\n");
  CHECK(d.elapsed_time(ms, e, timed) == status::invalid_resource_handle);
  CHECK(breaches() == "elapsed_time(e0, e1): made without timing\n");
  CHECK(d.elapsed_time(ms, timed, timed) == status::success);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "an event tells its time when it has been recorded, and is complete") {
  const auto s = stream("s");
  const auto from = timed_event(), to = timed_event();
  float ms = 0;
  d.record(from, s);
  w.settle();
  CHECK(d.elapsed_time(ms, from, to) == status::invalid_resource_handle);
  CHECK(breaches() == "elapsed_time(e0, e1): was never recorded\n");
  w.pause(s);
  d.record(to, s);
  CHECK(d.elapsed_time(ms, from, to) == status::not_ready);
  CHECK(breaches() == "elapsed_time(e0, e1): not complete yet: ask query first\n");
  w.resume(s);
  d.synchronize_event(to);
  CHECK(d.elapsed_time(ms, from, to) == status::success);
  d.destroy_event(to);
  CHECK(d.elapsed_time(ms, from, to) == status::invalid_resource_handle);
  CHECK(breaches() == "elapsed_time(e0, e1): e1 was destroyed\n");
}

TEST_CASE_FIXTURE(fixture, "an event's time is when its stream came by, by the device's clock") {
  w.set_clock(recording::device_clock::that_stands());
  const auto s = stream("s");
  const auto from = timed_event(), to = timed_event();
  w.pause(s);
  d.record(from, s);
  d.enqueue(
      s, [this] { w.pass(std::chrono::microseconds(2500)); }, "k");
  d.record(to, s);
  w.pass(std::chrono::seconds(1));  // before any of it
  w.resume(s);
  w.settle();
  float ms = 0;
  CHECK(d.elapsed_time(ms, from, to) == status::success);
  CHECK(ms == doctest::Approx(2.5));
  CHECK(d.elapsed_time(ms, to, from) == status::success);
  CHECK(ms == doctest::Approx(-2.5));
  w.pass(std::chrono::seconds(1));
  d.record(to, s);  // the latest record counts
  w.settle();
  CHECK(d.elapsed_time(ms, from, to) == status::success);
  CHECK(ms == doctest::Approx(1002.5));
  CHECK(breaches().empty());
}

TEST_CASE("events of two devices have no time between them") {
  fixture f(2);
  const auto s0 = f.stream("s0");
  const auto e0 = f.timed_event();
  f.d.set_device(1);
  const auto s1 = f.stream("s1");
  const auto e1 = f.timed_event();
  f.d.record(e0, s0);
  f.d.record(e1, s1);
  f.w.settle();
  float ms = 0;
  CHECK(f.d.elapsed_time(ms, e0, e1) == status::invalid_resource_handle);
  CHECK(f.breaches() == "elapsed_time(e0, e1): events of two devices\n");
}

TEST_CASE_FIXTURE(fixture, "what was destroyed is used no more") {
  const auto s = stream("s"), other = stream("other");
  const auto e = event();
  d.record(e, s);
  d.destroy_event(e);
  d.destroy_stream(s);
  CHECK(breaches().empty());
  CHECK(d.record(e, other) == status::invalid_resource_handle);
  CHECK(breaches() == "record(e0, other): e0 was destroyed\n");
  CHECK(d.wait(other, e) == status::invalid_resource_handle);
  CHECK(d.query(e) == status::invalid_resource_handle);
  CHECK(d.destroy_event(e) == status::invalid_resource_handle);
  CHECK(w.take_breaches().size() == 3);
  CHECK(d.synchronize_stream(s) == status::invalid_resource_handle);
  CHECK(breaches() == "synchronize_stream(s): s was destroyed\n");
  CHECK(d.destroy_stream(s) == status::invalid_resource_handle);
  CHECK(d.enqueue(
            s, [] { FAIL("runs"); }, "k") == status::invalid_resource_handle);
  CHECK(w.take_breaches().size() == 2);
  CHECK(d.record(nullptr, other) == status::invalid_resource_handle);
  CHECK(breaches() == "record(null, other): not a handle\n");
}

TEST_CASE("streams and events of two devices") {
  fixture f(2);
  int n = 0;
  CHECK(f.d.device_count(n) == status::success);
  CHECK(n == 2);
  const auto s0 = f.stream("s0");
  const auto e0 = f.event();
  CHECK(f.d.set_device(1) == status::success);
  CHECK(f.d.current_device(n) == status::success);
  CHECK(n == 1);
  const auto s1 = f.stream("s1");
  const auto e1 = f.event();
  f.d.device_of(s0, n);
  CHECK(n == 0);
  f.d.device_of(s1, n);
  CHECK(n == 1);

  SUBCASE("events are recorded on their own device, and waited for everywhere") {
    CHECK(f.d.record(e1, s1) == status::success);
    CHECK(f.d.record(e0, s0) == status::success);  // whatever device is the current one
    CHECK(f.d.wait(s0, e1) == status::success);
    CHECK(f.d.wait(s1, e0) == status::success);
    CHECK(f.d.synchronize_event(e0) == status::success);
    CHECK(f.breaches().empty());
    CHECK(f.d.record(e0, s1) == status::invalid_resource_handle);
    CHECK(f.breaches() == "record(e0, s1): an event of another device\n");
    recording::graph g = nullptr;
    f.d.begin_capture(s1);
    CHECK(f.d.record_external(e0, s1) == status::invalid_resource_handle);
    CHECK(f.breaches() == "record_external(e0, s1): an event of another device\n");
    CHECK(f.d.record_external(e1, s1) == status::success);
    CHECK(f.d.end_capture(s1, g) == status::success);
  }
  SUBCASE("a kernel needs the stream's device to be the current one") {
    CHECK(f.d.enqueue(
              s1, [] {}, "right") == status::success);
    CHECK(f.breaches().empty());
    CHECK(f.d.enqueue(
              s0, [] {}, "wrong") == status::invalid_resource_handle);
    CHECK(f.breaches() ==
          "kernel(s0, \"wrong\"): a stream of another device than the current one\n");
  }
  SUBCASE("each host thread has a current device of its own") {
    std::thread([&] {
      f.d.current_device(n);
      CHECK(n == 0);
    }).join();
  }
  SUBCASE("there is no third") {
    CHECK(f.d.set_device(2) == status::invalid_device);
    CHECK(f.breaches() == "set_device(2): no such device\n");
  }
}

TEST_CASE("events and pinned memory are made on a device that has a stream") {
  fixture f(2);
  f.event();  // there is no stream yet
  f.d.set_device(1);
  const auto s = f.stream("s");
  void* const at = f.pinned_memory(8);
  f.event();
  CHECK(f.breaches().empty());
  std::thread([&] {  // where device 0 is current
    f.event();
    CHECK(f.breaches() == "create_event(): no stream is on the current device\n");
    f.d.free_pinned(f.pinned_memory(8));
    CHECK(f.breaches() == "allocate_pinned(): no stream is on the current device\n");
  })
      .join();
  f.d.free_pinned(at);
  f.d.destroy_stream(s);
  f.d.set_device(0);
  f.event();
  CHECK(f.breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "that an event is not ready hides no error, unless the world keeps it") {
  const auto s = stream("s");
  const auto e = event();
  w.pause(s);
  d.enqueue(
      s, [] {}, "k");
  d.record(e, s);
  d.enqueue_refused(s, status::invalid_configuration, "refused");
  SUBCASE("as the guide says") {
    CHECK(d.query(e) == status::not_ready);
    CHECK(d.last_error() == status::invalid_configuration);
  }
  SUBCASE("as was seen") {
    w.keep_not_ready();
    CHECK(d.query(e) == status::not_ready);
    CHECK(d.last_error() == status::not_ready);
  }
  CHECK(d.last_error() == status::success);
  w.resume(s);
}

TEST_CASE_FIXTURE(fixture,
                  "a stream that blocks is in order with the legacy stream, others are not") {
  recording::stream blocking = nullptr;
  REQUIRE(d.create_ordered_stream(blocking) == status::success);
  w.name(blocking, "blocking");
  const auto s = stream("s");
  const auto e = event();
  d.enqueue(
      blocking, [] {}, "first");
  d.enqueue(
      s, [] {}, "apart");
  CHECK(d.enqueue_legacy([] {}, "legacy") == status::success);
  d.enqueue(
      blocking, [] {}, "last");
  d.enqueue(
      s, [] {}, "apart later");
  CHECK(w.ordered("first", "legacy"));
  CHECK(w.ordered("legacy", "last"));
  CHECK(!w.ordered("apart", "legacy"));
  CHECK(!w.ordered("legacy", "apart later"));
  SUBCASE("its records, too") {
    d.enqueue_legacy([] {}, "legacy again");
    d.record(e, blocking);
    d.wait(s, e);
    d.enqueue(
        s, [] {}, "behind");
    CHECK(w.ordered("legacy again", "behind"));
  }
  d.synchronize_stream(blocking);
  d.synchronize_stream(s);
  CHECK(breaches().empty());
}

TEST_CASE("the legacy stream is the current device's") {
  fixture f(2);
  recording::stream blocking = nullptr;
  REQUIRE(f.d.create_ordered_stream(blocking) == status::success);
  f.d.enqueue(
      blocking, [] {}, "first");
  f.d.set_device(1);
  f.d.enqueue_legacy([] {}, "of another device");
  CHECK(!f.w.ordered("first", "of another device"));
}

TEST_CASE_FIXTURE(fixture, "who puts work on a stream that is full waits until some has begun") {
  const auto s = stream("s"), other = stream("other");
  const auto e = event();
  d.record(e, other);
  w.take_at_most(2);
  w.pause(s);
  std::atomic<int> put = 0;
  std::thread host([&] {
    for (int i = 0; i < 2; ++i, ++put)
      d.enqueue(
          s, [] {}, "k");
    d.wait(s, e);
    ++put;
    d.record(e, s);
    ++put;
  });
  while (w.full_streams() == 0) std::this_thread::yield();
  CHECK(put == 2);
  d.enqueue(
      other, [] {}, "others are as they were");
  d.synchronize_stream(other);
  w.resume(s);
  host.join();
  d.synchronize_stream(s);
  CHECK(w.count_calls(call::record) == 2);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture,
                  "a kernel may be loaded when it is launched first, and wait for the device") {
  const auto s = stream("s"), other = stream("other");
  w.load_lazily();
  w.pause(s);
  d.record(event(), s);
  std::atomic<bool> launched = false;
  std::thread host([&] {
    d.enqueue(
        other, [] {}, "k");
    launched = true;
  });
  while (w.implicit_waits() == 0) std::this_thread::yield();
  CHECK(!launched);
  w.resume(s);
  host.join();
  w.pause(s);
  d.record(event(), s);
  d.enqueue(
      other, [] {}, "k");
  CHECK(w.implicit_waits() == 1);
  w.resume(s);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "priorities have a range, of which the greatest is the lower number") {
  int least = 1, greatest = 1;
  CHECK(d.least_priority(least, greatest) == status::success);
  CHECK(least == 0);
  CHECK(greatest < least);
}

TEST_CASE_FIXTURE(fixture, "a stream tells its device until it is destroyed") {
  const auto s = stream("s");
  int n = 1;
  CHECK(d.device_of(s, n) == status::success);
  CHECK(n == 0);
  d.destroy_stream(s);
  CHECK(d.device_of(s, n) == status::invalid_resource_handle);
  CHECK(breaches() == "device_of(s): s was destroyed\n");
}

TEST_CASE_FIXTURE(fixture, "work makes no calls, and does not throw") {
  const auto s = stream("s");
  const auto e = event();
  d.enqueue(
      s, [&] { CHECK(d.record(e, s) == status::not_permitted); }, "k");
  d.synchronize_stream(s);
  CHECK(breaches() == "record(e0, s): made by work on a stream\n");
  d.enqueue(
      s, [] { throw std::runtime_error("this"); }, "l");
  d.synchronize_stream(s);
  CHECK(breaches() == "kernel(s, \"l\"): threw this\n");
}

}  // namespace
