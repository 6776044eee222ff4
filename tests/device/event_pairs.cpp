// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <recording/spoken_to.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/event_pairs.hpp>
#include <vector>

namespace {

namespace recording = stretto::testing::recording;
using namespace std::chrono_literals;
using call = stretto::device::call;
using recording::driver;
using recording::status;

constexpr std::size_t capacity = 200;

/// A task on a stream, whose device's clock stands unless its work takes time.
struct timed : recording::spoken_to {
  explicit timed(std::size_t pair_count, std::size_t kept = capacity)
      : s(made_stream()),
        base(made_event()),
        pairs(d, s, pair_count, kept, [this] { return made_event(); }) {
    w.set_clock(recording::device_clock::that_stands());
    d.record(base, s);
    w.settle();
    pairs.restart(base);
  }

  /// The device takes some time for a batch, and then does nothing for a while.
  void work(std::size_t batch, std::chrono::nanoseconds time, std::chrono::nanoseconds idle) {
    pairs.begin(batch);
    d.enqueue(s, [this, time] { w.pass(time); }, {});
    pairs.end();
    d.enqueue(s, [this, idle] { w.pass(idle); }, {});
  }
  std::vector<std::size_t> batches() const {
    std::vector<std::size_t> all;
    pairs.each([&](const auto& span) { all.push_back(span.batch); });
    return all;
  }

  recording::stream s;
  recording::event base;
  stretto::device::detail::event_pairs<driver> pairs;

 private:
  recording::stream made_stream() {
    recording::stream made = nullptr;
    d.create_stream(made, 0);
    return made;
  }
  recording::event made_event() {
    recording::event made = nullptr;
    d.create_timed_event(made);
    return made;
  }
};

using numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a task's work is timed from its begin to its end, by few events in turn") {
  timed t(2);
  for (std::size_t b = 0; b < 5; ++b) {
    t.work(b, 3ms, 1ms);
    t.w.settle();
  }
  CHECK(t.batches() == numbers{0, 1, 2});
  t.pairs.read_all();
  CHECK(t.batches() == numbers{0, 1, 2, 3, 4});
  double begin = 0;
  t.pairs.each([&](const auto& span) {
    CHECK(span.begin.count() == doctest::Approx(begin));
    CHECK(span.end.count() == doctest::Approx(begin + 3));
    begin += 4;
  });
  t.pairs.read_all();
  CHECK(t.batches().size() == 5);
  CHECK(t.pairs.dropped() == 0);
  CHECK(t.breaches().empty());
}

TEST_CASE("what the device has not come by when its turn comes is counted, and not waited for") {
  timed t(2);
  t.w.pause(t.s);
  for (std::size_t b = 0; b < 4; ++b) t.work(b, 3ms, 0ms);
  CHECK(t.pairs.dropped() == 2);
  CHECK(t.w.count_calls(call::synchronize_event) == 0);
  CHECK(t.w.count_calls(call::synchronize_stream) == 0);
  t.w.resume(t.s);
  t.w.settle();
  t.work(4, 3ms, 0ms);
  t.w.settle();
  t.pairs.read_all();
  CHECK(t.batches() == numbers{0, 1, 4});
  t.pairs.each([](const auto& span) {  // those between have passed by
    CHECK(span.begin.count() == doctest::Approx(3 * static_cast<double>(span.batch)));
    CHECK(span.end.count() == doctest::Approx(3 * static_cast<double>(span.batch) + 3));
  });
  CHECK(t.pairs.dropped() == 2);
  t.pairs.forget_dropped();
  CHECK(t.pairs.dropped() == 0);
  CHECK(t.breaches().empty());
}

TEST_CASE("a batch whose task fails has no time, and takes no pair") {
  timed t(1);
  t.pairs.begin(0);
  t.work(1, 2ms, 0ms);
  t.w.settle();
  t.pairs.begin(2);
  t.pairs.read_all();
  CHECK(t.batches() == numbers{1});
  CHECK(t.pairs.dropped() == 0);
  CHECK(t.breaches().empty());
}

TEST_CASE("a run's times are its own") {
  timed t(2);
  t.work(7, 1ms, 0ms);
  t.pairs.begin(8);
  t.w.settle();
  t.d.record(t.base, t.s);
  t.w.settle();
  t.pairs.restart(t.base);
  t.pairs.read_all();
  CHECK(t.batches().empty());
  t.work(0, 5ms, 0ms);
  t.w.settle();
  t.pairs.read_all();
  CHECK(t.batches() == numbers{0});
  t.pairs.each([](const auto& span) { CHECK(span.begin.count() == doctest::Approx(0)); });
  CHECK(t.breaches().empty());
}

TEST_CASE("only the latest times are kept") {
  timed t(1, 3);
  for (std::size_t b = 0; b < 8; ++b) {
    t.work(b, 1ms, 0ms);
    t.w.settle();
  }
  t.pairs.read_all();
  CHECK(t.batches() == numbers{5, 6, 7});
}

TEST_CASE("times are as fine at the end of a long run as at its begin") {
  timed t(2);
  constexpr std::size_t long_run = 150;
  for (std::size_t b = 0; b < long_run; ++b) {
    t.work(b, 1ms, 4999ms + 15625ns);
    t.w.settle();
  }
  t.pairs.read_all();
  // Nearly 750 seconds are 749.99999 or 750.00006 in a `float` of milliseconds, and nothing
  // between.
  CHECK(t.batches().size() == long_run);
  double off = 0;
  t.pairs.each([&](const auto& span) {
    const double begin = 5000.015625 * static_cast<double>(span.batch);
    off = (std::max)(off, std::abs(span.begin.count() - begin));
    off = (std::max)(off, std::abs(span.end.count() - begin - 1));
  });
  CHECK(off < 0.0005);
  CHECK(t.pairs.reference().time.count() > 700'000);
  CHECK(t.breaches().empty());
}

TEST_CASE("what the device refuses is thrown, or counted when the run has ended") {
  timed t(1);
  t.w.fail(call::record, 0, status::unknown);
  CHECK_THROWS_AS(t.pairs.begin(0), stretto::device::error);
  t.work(1, 1ms, 0ms);
  t.w.settle();
  t.w.fail(call::query, 0, status::unknown);
  CHECK_THROWS_AS(t.pairs.begin(2), stretto::device::error);
  t.w.fail(call::elapsed_time, 1, status::unknown);
  t.pairs.read_all();
  CHECK(t.batches().empty());
  CHECK(t.pairs.dropped() == 1);
  t.work(3, 1ms, 0ms);
  t.w.settle();
  t.pairs.read_all();
  CHECK(t.batches() == numbers{3});
  CHECK(t.breaches().empty());
}
