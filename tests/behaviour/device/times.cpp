// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// When the device began and ended tasks: the timeline of a device.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <stretto/device/timeline.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>
#include "fixture.hpp"

namespace {

using namespace on_recording;
using namespace std::chrono_literals;
using timeline = st::device::timeline<driver>;
using clock = timeline::clock;
using recording::device_clock;

struct number : st::slot<int> {};
struct first_value : st::slot<cell> {};
struct second_value : st::slot<pinned_cell> {};
struct result : st::slot<long> {};

/// When a kernel really ran, by the host's clock.
struct ran {
  clock::time_point begin{};
  clock::time_point end{};
};
struct record_of_kernels {
  std::mutex lock;
  std::map<std::pair<std::string, std::size_t>, ran> all;
  std::chrono::microseconds time{300};
  std::size_t failing = 99;  // the batch that `second` fails on
  std::function<void(std::string_view task, std::size_t batch)> within;  // a body
};

template <class Context>
void busy(const Context& here, record_of_kernels& kernels) {
  here.driver().enqueue(
      here.stream(),
      [&kernels, task = std::string(here.task()), batch = here.batch()] {
        ran r;
        r.begin = clock::now();
        std::this_thread::sleep_for(kernels.time);
        r.end = clock::now();
        const std::lock_guard hold(kernels.lock);
        kernels.all[{task, batch}] = r;
      },
      label(here.task(), here.batch()));
  if (kernels.within) kernels.within(here.task(), here.batch());
}

struct first {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<first_value>;
  record_of_kernels& kernels;
  void operator()(st::context auto& c, int, cell&) const { busy(c, kernels); }
};
struct second {
  using stream = st::stream<"b">;
  using reads = st::reads<first_value>;
  using writes = st::writes<second_value>;
  record_of_kernels& kernels;
  void operator()(st::context auto& c, const cell&, pinned_cell&) const {
    busy(c, kernels);
    if (c.batch() == kernels.failing) throw std::runtime_error("not this one");
  }
};
struct look {
  using reads = st::reads<second_value>;
  using writes = st::writes<result>;
  void operator()(const pinned_cell&, long& out) const { out = 1; }
};
struct third {
  using stream = st::stream<"a">;
  using reads = st::reads<first_value>;
  record_of_kernels& kernels;
  void operator()(st::context auto& c, const cell&) const { busy(c, kernels); }
};
struct timed : st::schedule<st::source<number>, st::result<result>, st::streams<"a", "b">, first,
                            second, third, look> {};
struct by_caller : st::replan<timed, st::threads<st::on_caller>> {};

struct alone {
  using stream = st::stream<"a">;
  using reads = st::reads<number>;
  void operator()(int) const {}
};
struct on_host : st::schedule<st::source<number>, st::streams<"a">, alone> {};

template <class Schedule, class Observer = timeline>
struct subject {
  explicit subject(int devices = 1, streams where = {})
      : f(devices), p(first{kernels}, second{kernels}, third{kernels}, f.d, where) {}

  /// \p left: after how many results the run is left.
  void run(int batches, int left = 1000) {
    int next = 0;
    const auto some = [&](int& to) {
      to = next;
      return next++ < batches;
    };
    for ([[maybe_unused]] const long r : p.run(some))
      if (--left == 0) break;
    f.w.settle();
  }

  const timeline& record() { return p.observer(); }
  std::vector<timeline::span> spans(std::string_view task) {
    std::vector<timeline::span> all;
    for (std::size_t s = 0; s < record().streams().size(); ++s)
      for (const timeline::span& span : record().stream_spans(s))
        if (record().tasks()[span.task] == task) all.push_back(span);
    return all;
  }
  std::vector<std::size_t> batches(std::string_view task) {
    std::vector<std::size_t> all;
    for (const timeline::span& s : spans(task)) all.push_back(s.batch);
    return all;
  }

  /// Each kernel lies in its task's time, which begins after the task was submitted.
  void check_times() {
    const auto slack = std::chrono::duration_cast<clock::duration>(record().clock_error()) + 2us;
    std::map<std::pair<std::size_t, std::size_t>, clock::time_point> submitted;
    for (std::size_t t = 0; t < record().threads().size(); ++t)
      for (const timeline::span& s : record().spans(t)) submitted[{s.task, s.batch}] = s.begin;
    for (std::size_t s = 0; s < record().streams().size(); ++s) {
      clock::time_point before{};
      for (const timeline::span& span : record().stream_spans(s)) {
        const std::string task = record().tasks()[span.task];
        CAPTURE(task);
        CAPTURE(span.batch);
        REQUIRE(kernels.all.count({task, span.batch}) == 1);
        const ran& real = kernels.all.at({task, span.batch});
        CHECK(span.begin <= real.begin + slack);
        CHECK(span.end >= real.end - slack);
        CHECK(span.begin >= submitted.at({span.task, span.batch}) - slack);
        CHECK(span.begin >= before);  // one after the other
        before = span.end - 1us;
      }
    }
    // Who waits for a task's work begins when it has ended.
    for (const char* const consumer : {"second", "third"})
      for (const timeline::span& use : spans(consumer))
        for (const timeline::span& made : spans("first"))
          if (made.batch == use.batch) CHECK(use.begin >= made.end - between_devices() - 2us);
  }
  /// What is known of a task's work on its stream is in the stretch in which it was submitted.
  void check_stretches() {
    std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> submitted;
    for (std::size_t t = 0; t < record().threads().size(); ++t)
      for (const timeline::span& s : record().spans(t)) submitted[{s.task, s.batch}] = s.stretch;
    for (std::size_t s = 0; s < record().streams().size(); ++s)
      for (const timeline::span& span : record().stream_spans(s)) {
        REQUIRE(submitted.count({span.task, span.batch}) == 1);
        CHECK(span.stretch == submitted.at({span.task, span.batch}));
      }
  }
  /// On one device there is one clock.
  clock::duration between_devices() {
    if (f.w.state().devices == 1) return {};
    return std::chrono::duration_cast<clock::duration>(2 * record().clock_error());
  }

  record_of_kernels kernels;
  fixture f;
  tested::pipeline<Schedule, device, Observer> p;
};

using batch_numbers = std::vector<std::size_t>;

batch_numbers up_to(std::size_t count) {
  batch_numbers all(count);
  for (std::size_t b = 0; b < count; ++b) all[b] = b;
  return all;
}

template <class Schedule>
void check_run(double rate, int batches) {
  subject<Schedule> s;
  s.f.w.set_clock(device_clock::that_goes(rate));
  s.run(batches);
  const auto all = static_cast<std::size_t>(batches);
  REQUIRE(s.record().streams().size() == 2);
  CHECK(s.record().streams()[0] == "a");
  CHECK(s.record().streams()[1] == "b");
  for (const char* const task : {"first", "second", "third"}) CHECK(s.batches(task) == up_to(all));
  CHECK(s.record().stream_spans(0).size() == 2 * all);
  CHECK(s.record().stream_spans(1).size() == all);
  CHECK(s.record().dropped() == 0);
  CHECK(s.record().clock_error().count() > 0);
  s.check_times();
  CHECK(s.f.breaches().empty());
}

}  // namespace

TEST_CASE("each task's work on a stream has its begin and its end, in the host's time") {
  check_run<timed>(1, 20);
  check_run<by_caller>(1, 20);
}

TEST_CASE("a device's clock that goes faster or slower makes no difference") {
  check_run<timed>(1.5, 60);
  check_run<by_caller>(0.7, 60);
}

TEST_CASE("of a few readings of the clock the closest counts") {
  // Nothing else takes as long, or else a longer time is tried.
  for (auto first = 100ms;; first *= 2) {
    subject<by_caller> s;
    s.f.d.enqueue(
        s.p.device().stream("a"), [first] { std::this_thread::sleep_for(first); }, "yours");
    s.run(2);
    s.check_times();
    CHECK(s.f.breaches().empty());
    const auto half = first / 2;
    if (s.record().clock_error() >= half && first < 30s) continue;
    CHECK(s.record().clock_error() < half);
    return;
  }
}

TEST_CASE("a later run has its own reading of the clock, and forgets what is cleared") {
  subject<by_caller> s;
  s.run(3);
  s.f.w.pass(7s);  // between the runs, by the device's clock only
  s.run(2);
  CHECK(s.batches("second") == batch_numbers{0, 1, 2, 0, 1});
  s.p.observer().clear();
  CHECK(s.batches("second").empty());
  s.run(4);
  CHECK(s.batches("second") == batch_numbers{0, 1, 2, 3});
  s.check_times();
  CHECK(s.f.breaches().empty());
}

TEST_CASE("what came before a task failed has its times, and so has the next run") {
  subject<by_caller> s;
  s.kernels.failing = 3;
  CHECK_THROWS_AS(s.run(10), st::task_error);
  CHECK(s.batches("second") == batch_numbers{0, 1, 2});
  CHECK(s.batches("first") == batch_numbers{0, 1, 2, 3, 4});
  s.check_times();
  s.p.reset();
  s.kernels.failing = 99;
  s.p.observer().clear();
  s.run(5);
  CHECK(s.batches("second") == up_to(5));
  s.check_times();
  CHECK(s.record().dropped() == 0);
  CHECK(s.f.breaches().empty());
}

TEST_CASE("a run that is left early has the times of what was put on streams") {
  subject<by_caller> s;
  s.run(50, 2);
  CHECK(s.batches("second") == batch_numbers{0, 1});
  CHECK(s.batches("first") == batch_numbers{0, 1, 2});
  s.check_times();
  CHECK(s.f.breaches().empty());
}

TEST_CASE("streams of several devices have a clock each") {
  subject<timed> s(2, {{"b", {.device = 1}}});
  s.run(10);
  CHECK(s.f.w.count_calls(call::device_of) == 3);
  for (const char* const task : {"first", "second", "third"}) CHECK(s.batches(task) == up_to(10));
  s.check_times();
  CHECK(s.f.breaches().empty());
}

TEST_CASE("a host task of a serial plan is on no stream") {
  subject<st::serial<timed>> s;
  s.run(3);
  REQUIRE(s.record().streams().size() == 1);
  CHECK(s.record().stream_spans(0).size() == 9);
  CHECK(s.batches("look").empty());
  s.check_times();
  CHECK(s.f.breaches().empty());
}

TEST_CASE("a picture has a row for each stream, and a trace too") {
  subject<timed> s;
  s.run(3);
  std::ostringstream svg;
  st::draw_svg(svg, s.record(), 0, 2);
  CHECK(svg.str().find("a (device)") != std::string::npos);
  CHECK(svg.str().find("b (device)") != std::string::npos);
  std::ostringstream trace;
  st::write_trace(trace, s.record());
  CHECK(trace.str().find("streams of the device") != std::string::npos);
}

TEST_CASE("what nobody times costs nothing") {
  subject<by_caller, st::no_observer> s;
  subject<by_caller, st::timeline> watched;
  s.run(12);
  watched.run(12);
  CHECK(s.f.w.count_calls(call::create_timed_event) == 0);
  CHECK(watched.f.w.count_calls(call::create_timed_event) == 0);
  CHECK(s.f.w.count_calls() == watched.f.w.count_calls());
  CHECK(watched.p.observer().streams().empty());
}

TEST_CASE("a task on a stream takes two records more, and a pair is read in its turn") {
  subject<by_caller, st::no_observer> plain;
  subject<by_caller> s;
  plain.run(12);
  const std::size_t made = s.f.w.count_calls(call::create_timed_event);
  s.run(12);
  // Of three tasks on streams, with two batches in flight, each twice as many pairs and one more
  // event; and three by which the clock is read.
  CHECK(made == 3 * (2 * 2 * 2 + 1) + 3);
  CHECK(s.f.w.count_calls(call::create_timed_event) == made);
  constexpr std::size_t readings = 2 * 4;
  CHECK(s.f.w.count_calls(call::record) ==
        plain.f.w.count_calls(call::record) + std::size_t{3 * 12 * 2} + readings);
  CHECK(s.f.w.count_calls(call::synchronize_event) ==
        plain.f.w.count_calls(call::synchronize_event) + readings);
  CHECK(s.f.w.count_calls(call::elapsed_time) == 3 * 12 * 2 + 1);
}

TEST_CASE("while it is paused nothing is recorded on streams, which it costs nothing") {
  subject<by_caller, st::no_observer> plain;
  subject<by_caller> s;
  plain.run(12);
  s.p.observer().pause();
  s.run(12);
  for (const char* const task : {"first", "second", "third"}) CHECK(s.batches(task).empty());
  CHECK(s.record().dropped() == 0);
  CHECK(s.f.w.count_calls(call::record) ==
        plain.f.w.count_calls(call::record) + 2 * 4);  // readings of the clock
  s.p.observer().resume();
  s.run(5);
  for (const char* const task : {"first", "second", "third"}) CHECK(s.batches(task) == up_to(5));
  s.check_times();
  s.check_stretches();
  CHECK(s.f.breaches().empty());
}

TEST_CASE("paused and resumed in a run: what it was switched in is left out on streams, too") {
  subject<by_caller> s;
  s.kernels.within = [&s](std::string_view task, std::size_t batch) {
    if (task == "second" && batch == 5) s.p.observer().pause();
    if (task == "first" && batch == 9) s.p.observer().resume();
    if (task == "third" && batch == 12) {
      s.p.observer().pause();
      s.p.observer().resume();
    }
  };
  s.run(16);
  CHECK(s.batches("first") == batch_numbers{0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15});
  CHECK(s.batches("second") == batch_numbers{0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15});
  CHECK(s.batches("third") == batch_numbers{0, 1, 2, 3, 4, 8, 9, 10, 11, 13, 14, 15});
  CHECK(s.record().dropped() == 0);
  CHECK(s.record().stretches() == std::vector<std::uint32_t>{0, 1, 2});
  s.check_times();
  s.check_stretches();
  CHECK(s.f.breaches().empty());
}

TEST_CASE("events that cannot be made are told by the pipeline's constructor") {
  fixture f;
  record_of_kernels k;
  using pipeline = tested::pipeline<timed, device, timeline>;
  f.w.fail(call::create_timed_event, 5, status::memory_allocation);
  CHECK_THROWS_AS((pipeline{first{k}, second{k}, third{k}, f.d}), st::device::error);
  CHECK(f.leaks().empty());
  CHECK(f.breaches().empty());
}

TEST_CASE(
    "a clock that cannot be read ends a run before it begins, and leaves the next one alone") {
  subject<timed> s;
  s.f.w.fail(call::synchronize_event, 0, status::unknown);
  CHECK_THROWS_AS(s.run(3), st::device::error);
  CHECK(s.kernels.all.empty());
  s.run(3);
  CHECK(s.batches("third") == up_to(3));
  s.check_times();
  CHECK(s.f.breaches().empty());
}

TEST_CASE("what the device refuses at the end of a run is counted, or makes times less sure") {
  subject<by_caller> s;
  s.f.w.fail(call::elapsed_time, 0, status::unknown);
  s.run(1);
  CHECK(s.record().dropped() == 1);
  const std::size_t waits = s.f.w.count_calls(call::synchronize_event);
  s.p.observer().clear();
  CHECK(s.record().dropped() == 0);

  s.f.w.fail(call::synchronize_event, waits - 4, status::unknown);  // when the clock is read again
  s.run(1);
  CHECK(s.f.w.faults_left() == 0);
  CHECK(s.batches("first") == batch_numbers{0});
  CHECK(s.record().dropped() == 0);
  CHECK(s.f.breaches().empty());
}

TEST_CASE("an event that is refused while a task runs is the task's failure") {
  subject<by_caller> s;
  s.f.w.fail(call::record, 4, status::unknown);  // after the readings of the clock
  CHECK_THROWS_AS(s.run(3), st::task_error);
  s.p.reset();
  s.run(3);
  CHECK(s.batches("first") == up_to(3));
  CHECK(s.f.breaches().empty());
}

TEST_CASE("a device that is lost takes the times along, and the run says so") {
  subject<timed> s;
  s.f.w.fail(call::record, 12, status::launch_failure);
  CHECK_THROWS_AS(s.run(6), st::task_error);
  CHECK(s.record().dropped() > 0);
}

TEST_CASE("where streams are on no device, a device's timeline is like any other") {
  tested::pipeline<on_host, timeline> p;
  int next = 0;
  for ([[maybe_unused]] const auto b : p.run([&next](int& to) {
         to = next;
         return next++ < 3;
       })) {
  }
  CHECK(p.observer().streams().empty());
  CHECK(p.observer().dropped() == 0);
}
