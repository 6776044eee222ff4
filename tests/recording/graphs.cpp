// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <atomic>
#include <chrono>
#include <latch>
#include <thread>
#include "../support/rest.hpp"
#include "fixture.hpp"

namespace {

struct capturing : fixture {
  capturing() : a(stream("a")), b(stream("b")), c(stream("c")), fork(event()), join(event()) {}

  void kernel(recording::stream s, const char* label) {
    d.enqueue(
        s, [] {}, label);
  }
  void fork_to(recording::stream s) {
    CHECK(d.record(fork, a) == status::success);
    CHECK(d.wait(s, fork) == status::success);
  }
  void join_from(recording::stream s) {
    CHECK(d.record(join, s) == status::success);
    CHECK(d.wait(a, join) == status::success);
  }
  recording::executable executable() {
    recording::graph g = nullptr;
    REQUIRE(d.end_capture(a, g) == status::success);
    recording::executable x = nullptr;
    REQUIRE(d.instantiate(x, g) == status::success);
    CHECK(d.destroy_graph(g) == status::success);
    return x;
  }

  recording::stream a, b, c;
  recording::event fork, join;
};

TEST_CASE_FIXTURE(capturing, "captured work runs when it is launched, with its edges, each time") {
  int runs = 0;
  d.begin_capture(a);
  d.enqueue(
      a, [&] { ++runs; }, "first");
  fork_to(b);
  kernel(b, "left");
  fork_to(c);
  kernel(c, "right");
  kernel(a, "middle");
  join_from(b);
  join_from(c);
  kernel(a, "last");
  const auto x = executable();
  w.settle();
  CHECK(ran().empty());
  for (int i = 1; i <= 3; ++i) {
    kernel(a, "before");
    CHECK(d.launch(x, a) == status::success);
    kernel(a, "after");
    CHECK(d.synchronize_stream(a) == status::success);
    CHECK(runs == i);
    for (const char* between : {"left", "right", "middle"}) {
      CHECK(w.ordered("first", between));
      CHECK(w.ordered(between, "last"));
    }
    CHECK_FALSE(w.ordered("left", "right"));
    CHECK_FALSE(w.ordered("left", "middle"));
    CHECK(w.ordered("before", "first"));
    CHECK(w.ordered("last", "after"));
  }
  CHECK(breaches().empty());
  d.destroy_executable(x);
  CHECK(leaks().find('x') == std::string::npos);
  CHECK(leaks().find('g') == std::string::npos);
}

TEST_CASE_FIXTURE(capturing, "branches of a graph run at the same time") {
  std::latch both(2);
  d.begin_capture(a);
  fork_to(b);
  d.enqueue(
      a, [&] { both.arrive_and_wait(); }, "one");
  d.enqueue(
      b, [&] { both.arrive_and_wait(); }, "two");
  join_from(b);
  const auto x = executable();
  d.launch(x, c);  // any stream
  CHECK(d.synchronize_stream(c) == status::success);
  CHECK(w.ran().size() == 2);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(capturing, "an executable comes after its own last launch, and overlaps others") {
  d.begin_capture(a);
  kernel(a, "x");
  const auto x = executable();
  d.begin_capture(a);
  kernel(a, "y");
  const auto y = executable();

  std::latch go(1);
  d.enqueue(
      b, [&] { go.wait(); }, "long");
  d.launch(x, b);
  kernel(b, "after the first");
  d.launch(y, a);
  CHECK(d.synchronize_stream(a) == status::success);
  CHECK(ran() == "y ");  // the other one is still to come
  d.launch(x, c);
  kernel(c, "after the second");
  CHECK(w.ordered("long", "after the second"));  // which is on another stream
  CHECK_FALSE(w.ordered("after the first", "after the second"));
  CHECK_FALSE(w.ordered("long", "y"));
  go.count_down();
  w.settle();
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(capturing, "all of a launch comes after all of the executable's last one") {
  std::atomic<int> ones = 0;  // by work that is in no order
  int twos = 0;
  bool early = false;
  d.begin_capture(a);
  fork_to(b);
  d.enqueue(
      a, [&] { ++ones; }, "one");
  d.enqueue(
      b,
      [&] {
        tested::until_others_sleep();  // and nothing else is begun
        early |= ones > ++twos;
      },
      "two");
  join_from(b);
  const auto x = executable();
  for (const auto s : {a, b, c}) d.launch(x, s);
  w.settle();
  CHECK(ones == 3);
  CHECK_FALSE(early);
}

TEST_CASE_FIXTURE(capturing, "events outside are recorded and waited for by each launch") {
  const auto in = event(), out = event();
  d.begin_capture(a);
  CHECK(d.wait_external(a, in) == status::success);
  kernel(a, "inside");
  CHECK(d.record_external(out, a) == status::success);
  kernel(a, "tail");
  const auto x = executable();

  kernel(b, "one");
  d.record(in, b);
  d.launch(x, a);
  d.wait(c, out);
  kernel(c, "after one");
  CHECK(w.ordered("one", "inside"));
  CHECK(w.ordered("inside", "after one"));
  CHECK_FALSE(w.ordered("tail", "after one"));

  kernel(b, "two");
  d.launch(x, a);  // `in` still stands for the record before
  kernel(b, "three");
  CHECK_FALSE(w.ordered("two", "inside"));
  d.record(in, b);
  d.launch(x, a);
  CHECK(w.ordered("three", "inside"));
  d.wait(c, out);
  kernel(c, "after three");
  CHECK(w.ordered("three", "after three"));
  CHECK(d.synchronize_event(out) == status::success);
  w.settle();
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(capturing, "a launch waits for no event that was never recorded") {
  const auto in = event();
  d.begin_capture(a);
  d.wait_external(a, in);
  const auto x = executable();
  d.launch(x, a);
  CHECK(breaches() == "launch(x0, a): e2 was never recorded\n");
}

TEST_CASE_FIXTURE(capturing, "captured work is checked for order when it is launched") {
  void* const at = device_memory(8, a);
  d.begin_capture(a);
  fork_to(b);
  d.enqueue(a, [] {}, "one", {recording::writes(at, 8)});
  d.enqueue(b, [] {}, "two", {recording::writes(at, 8)});
  join_from(b);
  const auto x = executable();
  CHECK(breaches().empty());
  d.launch(x, a);
  CHECK(breaches() == "launch(x0, a): one uses m0, too, with no order between them\n");
}

TEST_CASE_FIXTURE(capturing, "a capture ends with all its streams joined") {
  recording::graph g = nullptr;
  d.begin_capture(a);
  fork_to(b);
  kernel(b, "k");
  SUBCASE("not joined") {
    CHECK(d.end_capture(a, g) == status::capture_unjoined);
    CHECK(g == nullptr);
    CHECK(breaches() == "end_capture(a): b has work that was not joined\n");
    CHECK(leaks().find('g') == std::string::npos);
    kernel(b, "ordinary again");
    w.settle();
    CHECK(ran() == "ordinary again ");
  }
  SUBCASE("joined") {
    join_from(b);
    CHECK(d.end_capture(a, g) == status::success);
    CHECK(breaches().empty());
  }
  SUBCASE("joined before its last work") {
    join_from(b);
    kernel(b, "late");
    CHECK(d.end_capture(a, g) == status::capture_unjoined);
  }
}

TEST_CASE_FIXTURE(capturing,
                  "a captured stream waits for no event from outside, and the other way round") {
  const auto outside = event();
  recording::graph g = nullptr;
  d.record(outside, c);
  d.begin_capture(a);
  kernel(a, "k");
  SUBCASE("an event recorded outside") {
    CHECK(d.wait(a, outside) == status::capture_isolation);
    CHECK(breaches() == "wait(a, e2): not recorded in this capture\n");
    CHECK(d.end_capture(a, g) == status::capture_invalidated);
    CHECK(g == nullptr);
  }
  SUBCASE("an event recorded inside, when the capture is over") {
    d.record(fork, a);
    CHECK(d.end_capture(a, g) == status::success);
    CHECK(d.wait(b, fork) == status::captured_event);
    CHECK(breaches() == "wait(b, e0): recorded in a capture, which is over\n");
    d.record(fork, a);
    CHECK(d.wait(b, fork) == status::success);
    CHECK(breaches().empty());
  }
  SUBCASE("an event of another capture") {
    d.begin_capture(b);
    d.record(fork, b);
    CHECK(d.wait(a, fork) == status::capture_isolation);
    CHECK(breaches() == "wait(a, e0): recorded in another capture\n");
  }
}

TEST_CASE_FIXTURE(capturing, "a thread that captures neither waits nor allocates") {
  const auto outside = event();
  recording::graph g = nullptr;
  d.record(outside, c);
  void* at = nullptr;
  d.begin_capture(a);
  const auto refused = [&](status s) {
    CHECK(s == status::capture_unsupported);
    CHECK(w.take_breaches().size() == 1);
    CHECK(d.end_capture(a, g) == status::capture_invalidated);
    CHECK(breaches().empty());
  };
  SUBCASE("synchronize_stream") { refused(d.synchronize_stream(a)); }
  SUBCASE("synchronize_stream of another") { refused(d.synchronize_stream(c)); }
  SUBCASE("synchronize_event") { refused(d.synchronize_event(outside)); }
  SUBCASE("query") { refused(d.query(outside)); }
  SUBCASE("allocate, on a stream that is not captured") { refused(d.allocate(at, 8, c)); }
  SUBCASE("allocate_pinned") { refused(d.allocate_pinned(at, 8)); }
  SUBCASE("launch") {
    d.begin_capture(b);
    const auto stays = a;
    a = b;
    const auto x = executable();
    a = stays;
    refused(d.launch(x, a));
  }
  SUBCASE("nor does another, for what is recorded in the capture") {
    d.record(fork, a);
    std::thread([&] {
      CHECK(d.synchronize_event(fork) == status::captured_event);
      CHECK(breaches() == "synchronize_event(e0): recorded in a capture\n");
      CHECK(d.query(fork) == status::captured_event);
      CHECK(breaches() == "query(e0): recorded in a capture\n");
    }).join();
    CHECK(d.end_capture(a, g) == status::capture_invalidated);
  }
  SUBCASE("another thread may, elsewhere") {
    std::thread([&] {
      CHECK(d.synchronize_event(outside) == status::success);
      CHECK(d.allocate_pinned(at, 8) == status::success);
      CHECK(breaches().empty());
      CHECK(d.synchronize_stream(a) == status::capture_unsupported);
      CHECK(w.take_breaches().size() == 1);
    }).join();
  }
}

TEST_CASE_FIXTURE(capturing, "a capture in the global mode ends if a thread that minds it asks") {
  using stretto::device::capture_mode;
  const auto outside = event();
  recording::graph g = nullptr;
  d.record(outside, c);
  d.begin_capture(a, capture_mode::global);
  SUBCASE("in the mode that threads begin with") {
    std::thread([&] {
      CHECK(d.query(outside) == status::capture_unsupported);
      CHECK(breaches() == "query(e2): made while another thread captures in the global mode\n");
    }).join();
    CHECK(d.end_capture(a, g) == status::capture_invalidated);
  }
  for (const capture_mode mode : {capture_mode::this_thread, capture_mode::relaxed}) {
    SUBCASE(mode == capture_mode::relaxed ? "relaxed" : "minding its own") {
      std::thread([&] {
        capture_mode own = mode;
        CHECK(d.exchange_capture_mode(own) == status::success);
        CHECK(own == capture_mode::global);
        CHECK(d.synchronize_event(outside) == status::success);
        CHECK(d.query(outside) == status::success);
        CHECK(d.exchange_capture_mode(own) == status::success);
        CHECK(own == mode);
        CHECK(breaches() == "");
        CHECK(d.query(outside) == status::capture_unsupported);
        CHECK(w.take_breaches().size() == 1);
      }).join();
      CHECK(d.end_capture(a, g) == status::capture_invalidated);
    }
  }
}

TEST_CASE("a thread says whose captures it minds on a device that has a stream") {
  fixture f(2);
  auto mode = stretto::device::capture_mode::this_thread;
  f.d.set_device(1);
  f.stream("s");
  CHECK(f.d.exchange_capture_mode(mode) == status::success);
  CHECK(f.breaches() == "");
  f.d.set_device(0);
  CHECK(f.d.exchange_capture_mode(mode) == status::success);
  CHECK(f.breaches() == "exchange_capture_mode(): no stream is on the current device\n");
}

TEST_CASE_FIXTURE(capturing, "another thread puts nothing on a stream that is captured") {
  d.begin_capture(a);
  kernel(a, "own");
  CHECK(breaches().empty());
  std::thread([&] {
    kernel(a, "strange");
    CHECK(breaches() == "kernel(a, \"strange\"): another thread captures a\n");
    d.record(fork, a);
    CHECK(breaches() == "record(e0, a): another thread captures a\n");
    kernel(b, "elsewhere");
    CHECK(breaches().empty());
  }).join();
  executable();
}

TEST_CASE_FIXTURE(capturing,
                  "a kernel that is refused leaves the capture whole, and is not in it") {
  d.begin_capture(a);
  kernel(a, "first");
  d.enqueue_refused(a, status::invalid_configuration, "refused");
  CHECK(d.last_error() == status::invalid_configuration);
  kernel(a, "second");
  d.launch(executable(), a);
  w.settle();
  CHECK(ran() == "first second ");
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(capturing, "nobody waits for a device of which a stream is captured") {
  recording::graph g = nullptr;
  kernel(b, "k");
  d.enqueue_legacy([] {}, "l");
  CHECK(d.synchronize_device() == status::success);
  CHECK(w.idle());
  kernel(b, "later");
  CHECK(w.ordered("k", "later"));
  CHECK(w.ordered("l", "later"));
  d.begin_capture(a);
  std::thread([&] {
    CHECK(d.synchronize_device() == status::capture_unsupported);
    CHECK(d.last_error() == status::capture_unsupported);
  }).join();
  CHECK(breaches() == "synchronize_device(): while a stream is captured\n");
  CHECK(d.end_capture(a, g) == status::capture_invalidated);
  CHECK(d.synchronize_device() == status::success);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(capturing, "memory of a captured stream is allocated by each launch") {
  void* at = nullptr;
  d.begin_capture(a);
  CHECK(d.allocate(at, 8, a) == status::success);
  d.enqueue(a, [] {}, "k", {recording::writes(at, 8)});
  SUBCASE("and freed by it") {
    CHECK(d.free(at, a) == status::success);
    const auto x = executable();
    for (int i = 0; i < 3; ++i) CHECK(d.launch(x, a) == status::success);
    w.settle();
    d.destroy_executable(x);
    CHECK(leaks().find('m') == std::string::npos);
    CHECK(breaches().empty());
  }
  SUBCASE("and to be freed before the next one") {
    const auto x = executable();
    CHECK(d.launch(x, a) == status::success);
    CHECK(d.launch(x, a) == status::invalid_value);
    CHECK(breaches() == "launch(x0, a): memory of its last launch was not freed\n");
    CHECK(d.free(at, a) == status::success);
    CHECK(d.launch(x, a) == status::success);
    CHECK(d.free(at, b) == status::success);
    w.settle();
    d.destroy_executable(x);
    CHECK(leaks().find('m') == std::string::npos);
    CHECK(breaches().empty());
  }
}

TEST_CASE_FIXTURE(capturing, "a graph that allocates has one executable at a time") {
  void* at = nullptr;
  d.begin_capture(a);
  d.allocate(at, 8, a);
  d.free(at, a);
  recording::graph g = nullptr;
  d.end_capture(a, g);
  recording::executable x = nullptr, y = nullptr;
  CHECK(d.instantiate(x, g) == status::success);
  CHECK(d.instantiate(y, g) == status::invalid_value);
  CHECK(breaches() == "instantiate(g0): memory that it allocates is an executable's already\n");
  d.destroy_executable(x);
  CHECK(d.instantiate(y, g) == status::success);
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(capturing,
                  "nothing goes to the legacy stream while a stream that blocks is captured") {
  recording::graph g = nullptr;
  SUBCASE("a stream that does not block") {
    d.begin_capture(a);
    CHECK(d.enqueue_legacy([] {}, "k") == status::success);
    CHECK(d.end_capture(a, g) == status::success);
    CHECK(breaches().empty());
  }
  SUBCASE("one that does") {
    recording::stream blocking = nullptr;
    REQUIRE(d.create_ordered_stream(blocking) == status::success);
    d.begin_capture(blocking);
    std::thread([&] { CHECK(d.enqueue_legacy([] {}, "k") == status::capture_implicit); }).join();
    CHECK(d.end_capture(blocking, g) == status::capture_invalidated);
    CHECK(breaches() ==
          "kernel(\"k\"): on the legacy stream, while a stream that blocks is captured\n");
  }
}

TEST_CASE_FIXTURE(capturing, "a stream that is captured is not captured again") {
  d.begin_capture(a);
  kernel(a, "k");
  CHECK(d.begin_capture(a) == status::invalid_value);
  CHECK(breaches() == "begin_capture(a): is captured already\n");
  fork_to(b);
  CHECK(d.begin_capture(b) == status::invalid_value);
  CHECK(w.take_breaches().size() == 1);
  join_from(b);
  d.launch(executable(), a);
  d.synchronize_stream(a);
  CHECK(ran() == "k ");
}

TEST_CASE_FIXTURE(capturing, "a stream that is destroyed while it is captured ends the capture") {
  d.begin_capture(a);
  CHECK(d.destroy_stream(a) == status::success);
  CHECK(breaches() == "destroy_stream(a): while it is captured\n");
}

TEST_CASE_FIXTURE(capturing, "a graph frees only memory of its own") {
  void* const at = device_memory(8, a);
  recording::graph g = nullptr;
  d.begin_capture(a);
  CHECK(d.free(at, a) == status::invalid_value);
  CHECK(breaches() == "free(a): memory that the graph has not allocated\n");
  CHECK(d.end_capture(a, g) == status::capture_invalidated);
}

TEST_CASE_FIXTURE(capturing, "a capture is ended where it was begun") {
  recording::graph g = nullptr;
  CHECK(d.end_capture(a, g) == status::invalid_value);
  CHECK(w.take_breaches().size() == 1);
  d.begin_capture(a);
  CHECK(d.begin_capture(a) == status::invalid_value);
  CHECK(w.take_breaches().size() == 1);
  fork_to(b);
  CHECK(d.end_capture(b, g) == status::invalid_value);
  CHECK(w.take_breaches().size() == 1);
  std::thread([&] { CHECK(d.end_capture(a, g) == status::capture_wrong_thread); }).join();
  CHECK(w.take_breaches().size() == 1);
  CHECK(d.end_capture(a, g) == status::success);
  CHECK(d.record_external(fork, a) == status::invalid_value);
  CHECK(breaches() == "record_external(e0, a): outside of a capture\n");
  CHECK(d.wait_external(a, fork) == status::invalid_value);
  CHECK(w.take_breaches().size() == 1);
  d.begin_capture(a);
  d.destroy_stream(a);
  CHECK(breaches() == "destroy_stream(a): while it is captured\n");
}

TEST_CASE_FIXTURE(capturing,
                  "an event of a capture tells no time, one outside does after each launch") {
  w.set_clock(recording::device_clock::that_stands());
  const auto inside = timed_event(), from = timed_event(), to = timed_event();
  d.begin_capture(a);
  d.record(inside, a);
  d.record_external(from, a);
  d.enqueue(
      a, [this] { w.pass(std::chrono::milliseconds(3)); }, "k");
  d.record_external(to, a);
  const auto x = executable();
  float ms = 0;
  CHECK(d.elapsed_time(ms, inside, inside) == status::invalid_value);
  CHECK(breaches() == "elapsed_time(e2, e2): recorded in a capture\n");
  for (int launch = 0; launch < 2; ++launch) {
    d.launch(x, a);
    w.settle();
    CHECK(d.elapsed_time(ms, from, to) == status::success);
    CHECK(ms == doctest::Approx(3));
  }
  CHECK(breaches().empty());
}

TEST_CASE_FIXTURE(capturing, "graphs and executables that were destroyed are used no more") {
  d.begin_capture(a);
  kernel(a, "k");
  const auto x = executable();
  w.pause(a);
  d.launch(x, a);
  d.destroy_executable(x);  // it runs on
  w.resume(a);
  w.settle();
  CHECK(ran() == "k ");
  CHECK(breaches().empty());
  CHECK(d.launch(x, a) == status::invalid_resource_handle);
  CHECK(breaches() == "launch(x0, a): x0 was destroyed\n");
}

}  // namespace
