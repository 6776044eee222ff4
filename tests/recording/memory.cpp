// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include "../support/rest.hpp"
#include "fixture.hpp"

namespace {

using recording::reads;
using recording::writes;

recording::pool pool_of(const fixture& f, int device) {
  recording::pool p = nullptr;
  REQUIRE(f.d.device_pool(p, device) == status::success);
  return p;
}

TEST_CASE_FIXTURE(fixture, "bytes go to the device and back") {
  const auto s = stream("s");
  std::array<char, 8> result{};
  w.make_known(result.data(), 8);
  void* const pinned = pinned_memory(8);
  void* const device = device_memory(8, s);
  w.host_writes(pinned, 8);
  std::memcpy(pinned, "forward", 8);
  d.copy(s, device, pinned, 8, "there");
  d.copy(s, result.data(), device, 8, "back");
  d.synchronize_stream(s);
  w.host_reads(result.data(), 8);
  CHECK(std::string(result.data()) == "forward");
  CHECK(w.logged().work().text() == "copy(s, 8, \"there\")\ncopy(s, 8, \"back\")\n");
  d.free(device, s);
  d.free_pinned(pinned);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "what the host reads and writes under the lock") {
  const auto s = stream("s");
  auto* const pinned = static_cast<long*>(pinned_memory(sizeof(long)));
  auto* const device = static_cast<long*>(device_memory(sizeof(long), s));
  w.host_write(pinned, 3L);
  d.copy(s, device, pinned, sizeof(long), "there");
  CHECK(w.host_read(pinned) == 3);
  d.copy(s, pinned, device, sizeof(long), "back");
  CHECK(w.host_read_slowly(pinned) == 3);
  CHECK(breaches() == "host_read: back uses m0, and nobody has waited for it\n");
  d.synchronize_stream(s);
  w.host_write(pinned, 4L);
  CHECK(breaches().empty());

  std::atomic<bool> over{false};
  std::thread other([&] {
    for (long i = 5; !over; ++i) w.host_write(pinned, i);
  });
  std::string found;
  while (found.empty()) {
    w.host_read_slowly(pinned);
    found = breaches();
  }
  over = true;
  other.join();
  CHECK(found == "host_read_slowly: written while the host reads\n");
  d.free(device, s);
  d.free_pinned(pinned);
}

TEST_CASE_FIXTURE(fixture, "a host thread touches only what it has waited for") {
  const auto s = stream("s");
  const auto e = event();
  void* const pinned = pinned_memory(8);
  void* const device = device_memory(8, s);
  w.host_writes(pinned, 8);
  d.copy(s, device, pinned, 8, "there");
  d.record(e, s);
  w.host_reads(pinned, 8);  // both read
  CHECK(breaches().empty());
  w.settle();  // done is not enough: nobody has waited
  w.host_writes(pinned, 8);
  CHECK(breaches() == "host_writes: there uses m0, and nobody has waited for it\n");
  CHECK(d.query(e) == status::success);
  w.host_writes(pinned, 8);
  CHECK(breaches().empty());

  d.copy(s, pinned, device, 8, "back");
  w.host_reads(pinned, 8);
  CHECK(breaches() == "host_reads: back uses m0, and nobody has waited for it\n");
  d.synchronize_stream(s);
  w.host_reads(pinned, 8);
  CHECK(breaches().empty());
  w.host_reads(device, 8);
  CHECK(breaches() == "host_reads: uses m1, which is the device's\n");
}

TEST_CASE_FIXTURE(fixture, "two streams use the same bytes in order, or both read") {
  const auto a = stream("a"), b = stream("b");
  const auto e = event();
  void* const from = device_memory(16, a);
  void* const to = device_memory(16, a);
  auto* const second_half = static_cast<char*>(to) + 8;
  d.record(e, a);
  d.wait(b, e);
  d.copy(a, to, from, 8, "one");

  SUBCASE("other bytes") {
    d.copy(b, second_half, from, 8, "other half");
    CHECK(breaches().empty());
  }
  SUBCASE("no order") {
    d.copy(b, second_half - 1, from, 8, "two");
    CHECK(breaches() == "copy(b, 8, \"two\"): one uses m1, too, with no order between them\n");
    d.copy(b, to, from, 8, "three");
    CHECK(breaches() == "copy(b, 8, \"three\"): one uses m1, too, with no order between them\n");
  }
  SUBCASE("an event") {
    d.record(e, a);
    d.wait(b, e);
    d.copy(b, to, from, 8, "two");
    CHECK(breaches().empty());
  }
  SUBCASE("a host thread that waits") {
    d.synchronize_stream(a);
    d.copy(b, to, from, 8, "two");
    CHECK(breaches().empty());
  }
  SUBCASE("a reader before a writer") {
    d.enqueue(a, [] {}, "reader", {reads(from, 8)});
    d.enqueue(b, [] {}, "reader, too", {reads(from, 8)});
    CHECK(breaches().empty());
    d.enqueue(b, [] {}, "writer", {writes(from, 8)});
    const std::string found = breaches();
    CHECK(found.find("kernel(b, \"writer\"): reader uses m0, too") != std::string::npos);
    CHECK(found.find("reader, too uses") == std::string::npos);
  }
}

TEST_CASE_FIXTURE(fixture,
                  "memory is there from its allocation to its end, in the order of streams") {
  const auto a = stream("a"), b = stream("b");
  const auto e = event();
  void* const at = device_memory(8, a);
  d.enqueue(a, [] {}, "same stream", {writes(at, 8)});
  CHECK(breaches().empty());
  d.enqueue(b, [] {}, "too early", {reads(at, 4)});
  CHECK(w.take_breaches().size() == 1);
  d.record(e, b);
  d.wait(a, e);
  d.free(at, a);
  CHECK(breaches().empty());
  d.enqueue(a, [] { FAIL("runs"); }, "after", {reads(at, 4)});
  CHECK(breaches() == "kernel(a, \"after\"): uses m0, which was freed\n");
  CHECK(d.free(at, a) == status::invalid_value);
  CHECK(w.take_breaches().size() == 1);
  w.settle();
}

TEST_CASE_FIXTURE(fixture, "memory is not given back while others may use it") {
  const auto a = stream("a"), b = stream("b");
  const auto e = event();
  void* const at = device_memory(8, a);
  void* const pinned = pinned_memory(8);
  d.record(e, a);
  d.wait(b, e);
  d.copy(b, at, pinned, 8, "there");
  SUBCASE("neither has been waited for") {
    d.free(at, a);
    CHECK(breaches() == "free(a): there may still use m0\n");
    d.free_pinned(pinned);
    CHECK(breaches() == "free_pinned(): there may still use m1\n");
  }
  SUBCASE("an event for the one, a host thread for the other") {
    d.record(e, b);
    d.wait(a, e);
    d.free(at, a);
    d.synchronize_event(e);
    d.free_pinned(pinned);
    CHECK(breaches().empty());
    CHECK(w.logged().count("free(m0, a)") == 1);
    CHECK(w.logged().count("free_pinned(m1)") == 1);
  }
}

TEST_CASE("a kernel uses memory of its own device, and of those that it was given access to") {
  fixture f(3);
  const auto a = f.stream("a");
  f.d.set_device(1);
  const auto b = f.stream("b");
  void* const at = f.device_memory(8, a);
  void* const pinned = f.pinned_memory(8);
  f.d.synchronize_stream(a);
  f.d.enqueue(b, [] {}, "pinned", {reads(pinned, 8)});
  f.d.copy(b, pinned, at, 8, "a copy");  // the runtime finds a way
  CHECK(f.breaches().empty());
  f.d.enqueue(b, [] { FAIL("runs"); }, "k", {reads(at, 8)});
  CHECK(f.breaches() ==
        "kernel(b, \"k\"): uses m0, which is on device 0 and cannot be accessed from device 1\n");
  SUBCASE("the other way round is another access") {
    CHECK(f.d.give_access(pool_of(f, 1), 0) == status::success);
    f.d.enqueue(b, [] {}, "k", {reads(at, 8)});
    CHECK(f.w.take_breaches().size() == 1);
  }
  SUBCASE("access") {
    bool can = false;
    CHECK(f.d.can_access(can, 1, 0) == status::success);
    CHECK(can);
    CHECK(f.d.give_access(pool_of(f, 0), 1) == status::success);
    f.d.enqueue(b, [] {}, "k", {reads(at, 8)});
    CHECK(f.breaches().empty());
  }
  SUBCASE("in a graph") {
    recording::graph g = nullptr;
    f.d.begin_capture(b);
    f.d.enqueue(b, [] {}, "k", {reads(at, 8)});
    f.d.end_capture(b, g);
    recording::executable x = nullptr;
    f.d.instantiate(x, g);
    f.d.launch(x, b);
    CHECK(f.w.take_breaches().size() == 1);
  }
  f.w.settle();
}

TEST_CASE("memory is of the pool that it comes from, and of that pool's device") {
  fixture f(2);
  const auto a = f.stream("a");
  f.d.set_device(1);
  const auto b = f.stream("b");
  recording::pool own = nullptr;
  CHECK(f.d.create_pool(own, 1) == status::success);
  CHECK(f.d.set_release_threshold(own, 64) == status::success);
  CHECK(own->release_threshold == 64);
  CHECK(f.d.give_access(pool_of(f, 1), 0) == status::success);
  void* at = nullptr;
  f.d.set_device(0);
  CHECK(f.d.allocate_from(at, 8, own, a) == status::success);  // of another device than the stream
  f.d.enqueue(a, [] { FAIL("runs"); }, "k", {reads(at, 8)});
  CHECK(f.breaches() ==
        "kernel(a, \"k\"): uses m0, which is on device 1 and cannot be accessed from device 0\n");
  CHECK(f.d.give_access(own, 0) == status::success);
  f.d.enqueue(a, [] {}, "k", {reads(at, 8)});
  CHECK(f.breaches().empty());
  CHECK(f.d.give_access(own, 1) == status::invalid_device);  // which has it
  CHECK(f.w.take_breaches().size() == 1);
  f.d.free(at, a);
  CHECK(f.d.destroy_pool(own) == status::success);
  CHECK(f.breaches().empty());
  CHECK(f.d.allocate_from(at, 8, own, b) == status::invalid_value);
  CHECK(f.breaches() == "allocate_from(p2, b): p2 was destroyed\n");
}

TEST_CASE("a pool is ended once, when its memory is back; that of a device is not") {
  fixture f;
  const auto s = f.stream("s");
  recording::pool own = nullptr;
  CHECK(f.d.create_pool(own, 1) == status::invalid_device);
  CHECK(f.breaches() == "create_pool(1): no such device\n");
  CHECK(f.d.create_pool(own, 0) == status::success);
  CHECK(f.leaks().find("p1 was not destroyed") != std::string::npos);
  void* at = nullptr;
  CHECK(f.d.allocate_from(at, 8, own, s) == status::success);
  CHECK(f.w.logged().of({call::allocate_from}).text() == "allocate_from(m0, 8, p1, s)\n");
  CHECK(f.d.destroy_pool(own) == status::success);
  CHECK(f.breaches() == "destroy_pool(p1): memory of it was not given back\n");
  CHECK(f.d.destroy_pool(own) == status::invalid_value);
  CHECK(f.breaches() == "destroy_pool(p1): p1 was destroyed\n");
  CHECK(f.d.destroy_pool(pool_of(f, 0)) == status::invalid_value);
  CHECK(f.breaches() == "destroy_pool(p0): a device keeps its pool\n");
  CHECK(f.d.free(at, s) == status::success);
  CHECK(f.leaks().find("p1") == std::string::npos);
}

TEST_CASE("devices that are kept apart have no access to each other") {
  fixture f(2);
  f.w.keep_apart();
  bool can = true;
  CHECK(f.d.can_access(can, 1, 0) == status::success);
  CHECK_FALSE(can);
  CHECK(f.d.give_access(pool_of(f, 0), 1) == status::invalid_device);
  CHECK(f.w.take_breaches().size() == 1);
  CHECK(f.d.can_access(can, 2, 0) == status::invalid_device);
  CHECK(f.breaches() == "can_access(): no such device\n");
}

TEST_CASE_FIXTURE(fixture, "pinned memory may wait for the device, and others meanwhile") {
  const auto s = stream("s");
  const auto e = event();
  d.record(e, s);
  void* const early = pinned_memory(8);
  CHECK(w.implicit_waits() == 0);
  w.wait_implicitly();
  w.pause(s);
  d.enqueue(
      s, [] {}, "k");
  std::atomic<int> done = 0;
  std::thread allocating([&] {
    void* at = nullptr;
    d.allocate_pinned(at, 8);
    CHECK(w.idle());
    ++done;
    d.free_pinned(at);
  });
  while (w.implicit_waits() == 0) std::this_thread::yield();
  std::thread asking([&] {
    d.query(e);
    ++done;
  });
  tested::until_others_sleep();
  CHECK(done == 0);
  w.resume(s);
  allocating.join();
  asking.join();
  CHECK(done == 2);
  CHECK(w.implicit_waits() == 2);
  d.free_pinned(early);
  CHECK(w.implicit_waits() == 3);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(fixture, "a copy to memory that is not page-locked may be waited for") {
  const auto s = stream("s");
  std::array<char, 8> own{};
  w.make_known(own.data(), own.size());
  void* const at = device_memory(8, s);
  const auto pinned = pinned_memory(8);
  d.copy(s, own.data(), at, 8, "k");
  w.host_reads(own.data(), 8);
  CHECK(w.take_breaches().size() == 1);  // it need not be
  w.wait_implicitly();
  d.copy(s, own.data(), at, 8, "k");
  w.host_reads(own.data(), 8);
  CHECK(breaches().empty());
  d.copy(s, pinned, at, 8, "k");
  w.host_reads(pinned, 8);
  CHECK(w.take_breaches().size() == 1);
}

TEST_CASE_FIXTURE(fixture, "copies use memory that somebody has allocated") {
  const auto s = stream("s");
  std::array<char, 8> unknown{};
  void* const at = device_memory(8, s);
  d.copy(s, at, unknown.data(), 8, "k");
  CHECK(breaches() == "copy(s, 8, \"k\"): uses bytes that nobody has allocated\n");
  d.copy(s, at, static_cast<char*>(at) + 4, 8, "k");
  CHECK(breaches() == "copy(s, 8, \"k\"): uses bytes that nobody has allocated\n");
  w.make_known(unknown.data(), 8);
  d.copy(s, at, unknown.data(), 8, "k");
  CHECK(breaches().empty());
  w.host_reads(unknown.data() + 4, 8);
  CHECK(w.take_breaches().size() == 1);
}

TEST_CASE_FIXTURE(fixture, "no memory is no address") {
  const auto s = stream("s");
  CHECK(device_memory(0, s) == nullptr);
  CHECK(d.free(nullptr, s) == status::success);
  CHECK(pinned_memory(0) == nullptr);
  CHECK(d.free_pinned(nullptr) == status::success);
  CHECK(breaches().empty());
  CHECK(leaks() == "s was not destroyed\n");
}

}  // namespace
