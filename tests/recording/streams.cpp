// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <latch>
#include <thread>
#include "fixture.hpp"

namespace {

TEST_CASE_FIXTURE(fixture, "work runs after the call that put it there has returned, in order") {
  const auto s = stream("s");
  std::latch go(1);
  std::vector<int> seen;
  for (int i = 0; i < 20; ++i) {
    d.enqueue(
        s,
        [&, i] {
          go.wait();
          seen.push_back(i);
        },
        "k");
  }
  CHECK(w.ran().empty());
  go.count_down();
  CHECK(d.synchronize_stream(s) == status::success);
  CHECK(seen.size() == 20);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
}

TEST_CASE_FIXTURE(fixture, "streams run at the same time") {
  const auto a = stream("a"), b = stream("b"), c = stream("c");
  std::latch all_three(3);
  for (const auto s : {a, b, c})
    d.enqueue(
        s, [&] { all_three.arrive_and_wait(); }, "meet");
  for (const auto s : {a, b, c}) CHECK(d.synchronize_stream(s) == status::success);
  CHECK(w.ran().size() == 3);
}

TEST_CASE_FIXTURE(fixture, "a stream waits for a record of another, and for no more than that") {
  const auto a = stream("a"), b = stream("b");
  const auto e = event();
  std::latch go(1);
  w.pause(a);
  d.enqueue(
      a, [] {}, "first");
  d.record(e, a);
  d.enqueue(
      a, [&] { go.wait(); }, "after the record");
  d.wait(b, e);
  d.enqueue(
      b, [] {}, "second");
  CHECK(d.query(e) == status::not_ready);
  w.resume(a);
  CHECK(d.synchronize_stream(b) == status::success);  // with `after the record` still to come
  CHECK(ran() == "first second ");
  go.count_down();
  w.settle();
  CHECK(w.ordered("first", "second"));
  CHECK_FALSE(w.ordered("after the record", "second"));
  CHECK_FALSE(w.ordered("second", "first"));
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "a wait is for the record that was the latest when it was called") {
  const auto a = stream("a"), b = stream("b");
  const auto e = event();
  w.pause(a);
  d.enqueue(
      a, [] {}, "one");
  d.record(e, a);
  d.wait(b, e);
  d.enqueue(
      b, [] {}, "waits for one");
  d.enqueue(
      a, [] {}, "two");
  d.record(e, a);
  d.wait(b, e);
  d.enqueue(
      b, [] {}, "waits for two");
  w.resume(a);
  w.settle();
  CHECK(w.ordered("one", "waits for one"));
  CHECK_FALSE(w.ordered("two", "waits for one"));
  CHECK(w.ordered("two", "waits for two"));
}

TEST_CASE_FIXTURE(fixture, "an event that is recorded again is asked about its latest record") {
  const auto a = stream("a");
  const auto e = event();
  d.record(e, a);
  CHECK(d.synchronize_event(e) == status::success);
  CHECK(d.query(e) == status::success);
  w.pause(a);
  d.record(e, a);
  CHECK(d.query(e) == status::not_ready);
  w.resume(a);
  CHECK(d.synchronize_event(e) == status::success);
  CHECK(d.query(e) == status::success);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "what a host thread has waited for comes before what it puts next") {
  const auto a = stream("a"), b = stream("b");
  const auto e = event();
  d.enqueue(
      a, [] {}, "first");
  d.record(e, a);
  d.enqueue(
      b, [] {}, "at once");
  d.synchronize_event(e);
  d.enqueue(
      b, [] {}, "later");
  CHECK(w.ordered("first", "later"));
  CHECK_FALSE(w.ordered("first", "at once"));
}

TEST_CASE_FIXTURE(fixture, "a chain over three streams and two events orders its ends") {
  const auto a = stream("a"), b = stream("b"), c = stream("c");
  const auto e = event(), f = event();
  d.enqueue(
      a, [] {}, "first");
  d.record(e, a);
  d.wait(b, e);
  d.record(f, b);
  d.wait(c, f);
  d.enqueue(
      c, [] {}, "last");
  CHECK(w.ordered("first", "last"));
  w.settle();
  CHECK(ran() == "first last ");
}

TEST_CASE_FIXTURE(fixture, "at random paces order is kept") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    fixture f;
    f.w.jitter(seed);
    const auto a = f.stream("a"), b = f.stream("b");
    const auto there = f.event(), back = f.event();
    int value = 0;  // plain: the thread sanitizer would see who does not wait
    for (int i = 0; i < 10; ++i) {
      f.d.enqueue(
          a, [&] { ++value; }, "add");
      f.d.record(there, a);
      f.d.wait(b, there);
      f.d.enqueue(
          b, [&] { value *= 2; }, "double");
      f.d.record(back, b);
      f.d.wait(a, back);
    }
    f.d.synchronize_stream(a);
    CHECK(value == 2046);
    CHECK(f.breaches().empty());
  }
}

TEST_CASE_FIXTURE(fixture, "the log tells calls and work with names") {
  const auto s = stream("compute");
  recording::stream other = nullptr;
  d.create_stream(other, -2);
  const auto e = event();
  recording::event blocking = nullptr;
  d.create_blocking_event(blocking);
  w.name(blocking, "done");
  w.name_this_thread("train");
  d.enqueue(
      s, [] {}, "forward b4");
  d.record(e, s);
  d.wait(other, e);
  d.record(blocking, other);
  d.synchronize_event(blocking);
  std::thread([&] {
    d.query(e);
    d.set_device(7);
  }).join();
  CHECK(w.logged().text() ==
        "create_stream(compute)\n"
        "create_stream(s1, -2)\n"
        "create_event(e0)\n"
        "create_blocking_event(done)\n"
        "kernel(compute, \"forward b4\")\n"
        "record(e0, compute)\n"
        "wait(s1, e0)\n"
        "record(done, s1)\n"
        "synchronize_event(done)\n"
        "query(e0)\n"
        "set_device(7) -> cudaErrorInvalidDevice\n");
  const recording::log all = w.take_log();
  CHECK(w.logged().empty());
  CHECK(all.by("t1").text() == "query(e0)\nset_device(7) -> cudaErrorInvalidDevice\n");
  CHECK(all.by("train").size() == 9);
  CHECK(all.on("s1").ordering().text() == "wait(s1, e0)\nrecord(done, s1)\n");
  CHECK(all.work().text() == "kernel(compute, \"forward b4\")\n");
  CHECK(all.of({call::record, call::query}).size() == 3);
  CHECK(all.count(call::create_stream) == 2);
  CHECK(all.without({call::record, call::query}).size() == 8);
}

TEST_CASE_FIXTURE(fixture, "what is made is given back") {
  const auto s = stream("s");
  const auto e = event();
  void* const device = device_memory(8, s);
  void* const pinned = pinned_memory(8);
  CHECK(leaks() ==
        "m0 was not given back\nm1 was not given back\n"
        "s was not destroyed\ne0 was not destroyed\n");
  d.free(device, s);
  d.free_pinned(pinned);
  d.destroy_event(e);
  d.destroy_stream(s);
  CHECK(leaks().empty());
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "a stream that is destroyed ends its work") {
  const auto s = stream("s");
  w.pause(s);
  d.enqueue(
      s, [] {}, "k");
  d.destroy_stream(s);
  w.resume(s);
  w.settle();
  CHECK(ran() == "k ");
  CHECK(breaches().empty());
}

TEST_CASE("a world with work that never began goes") {
  fixture f;
  const auto s = f.stream("s");
  f.w.pause(s);
  f.d.enqueue(
      s, [] { FAIL("runs"); }, "k");
}

}  // namespace
