// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <sstream>
#include <stdexcept>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/observe/draw.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace st = stretto;

namespace {

struct number : st::slot<int> {};
struct square : st::slot<int> {};
struct sum : st::slot<int> {};

struct multiply {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  void operator()(int in, int& out) const { out = in * in; }
};
struct add {
  using stream = st::stream<"b">;
  using reads = st::reads<square>;
  using writes = st::writes<sum>;
  void operator()(int in, int& out) { out = total += in; }
  int total = 0;
};
struct sums
    : st::schedule<st::source<number>, st::result<sum>, st::streams<"a", "b">, multiply, add> {};

}  // namespace

TEST_CASE("a pipeline records each task once per batch, on its thread and in order") {
  st::pipeline<sums, st::timeline> pipeline;
  int last = 0;
  for (const int s : pipeline.run(std::views::iota(0, 20))) last = s;
  CHECK(last == 2470);

  const st::timeline& record = pipeline.observer();
  REQUIRE(record.threads().size() == 3);
  REQUIRE(record.tasks().size() == 4);
  CHECK(record.threads()[0] == "caller");
  CHECK(record.tasks()[0] == "multiply");
  CHECK(record.tasks()[2] == "pull");
  for (std::size_t thread = 1; thread < 3; ++thread) {
    const auto spans = record.spans(thread);
    REQUIRE(spans.size() == 20);
    for (std::size_t b = 0; b < 20; ++b) {
      CHECK(spans[b].batch == b);
      CHECK(spans[b].task == thread - 1);
      CHECK(spans[b].begin <= spans[b].end);
      if (b > 0) CHECK(spans[b - 1].end <= spans[b].begin);
    }
  }
  CHECK(record.windows(1).size() == 19);
}

TEST_CASE("runs of which a record has several are kept apart") {
  st::pipeline<sums, st::timeline> pipeline;
  const auto run = [&](int batches) {
    for ([[maybe_unused]] const int s : pipeline.run(std::views::iota(0, batches))) {
    }
  };
  st::timeline& record = pipeline.observer();
  record.pause();
  run(5);  // of which nothing is recorded
  record.resume();
  record.clear();
  run(10);
  CHECK(record.stretches().size() == 1);
  const std::uint32_t first = record.stretches().front();
  run(40);
  CHECK(record.stretches() == std::vector<std::uint32_t>{first, first + 1});
  // As if each had a record of its own, also where batches have the numbers of others.
  CHECK(record.windows(3).size() == 9 / 3 + 39 / 3);
  for (const st::timeline::window& w : record.windows(1)) CHECK(w.wall.count() > 0);
  CHECK(record.ends_of_batches().through.size() == 40);
  CHECK(record.ends_of_batches().stretch == first + 1);
  CHECK_THROWS_AS(record.spans(3), std::out_of_range);
  CHECK_THROWS_AS(record.stream_spans(0), std::out_of_range);
  record.clear();
  run(10);
  CHECK(record.stretches().size() == 1);
}

namespace {

using clock_type = std::chrono::steady_clock;
using namespace std::chrono_literals;

/// Times are the clock's, as far as the processors' counter tells them: less than a microsecond
/// off, unless a thread is interrupted in the midst of each of four readings.
constexpr auto slack = 20us;

/// What the clock said in the first task's body, and in the second's.
struct seen {
  clock_type::time_point first[200];   // NOLINT(modernize-avoid-c-arrays)
  clock_type::time_point second[200];  // NOLINT(modernize-avoid-c-arrays)
};
struct see_first {
  using stream = st::stream<"a">;
  static constexpr int lookahead = 1;
  using reads = st::reads<number>;
  using writes = st::writes<square>;
  seen* by;
  void operator()(int in, int& out) const {
    out = in;
    by->first[in] = clock_type::now();
    if (in % 2 == 0) std::this_thread::sleep_for(1ms);
  }
};
struct see_second {
  using stream = st::stream<"b">;
  using reads = st::reads<square>;
  using writes = st::writes<sum>;
  seen* by;
  void operator()(int in, int& out) const {
    out = in;
    by->second[in] = clock_type::now();
  }
};
struct sights : st::schedule<st::source<number>, st::result<sum>, st::streams<"a", "b">, see_first,
                             see_second> {};

struct by_clock_only : st::timeline {
  void attached(std::span<const std::string_view> threads,
                std::span<const std::string_view> tasks) {
    st::timeline::attached(threads, tasks);
    read_clock_only();
  }
};

/// \p before: no task began earlier.
void check_times(const st::timeline& record, const seen& by, clock_type::time_point before,
                 std::size_t batches, bool runs = false) {
  const clock_type::time_point after = clock_type::now();
  const auto first = record.spans(1);
  const auto second = record.spans(2);
  REQUIRE(first.size() >= batches);
  REQUIRE(second.size() >= batches);
  for (std::size_t b = 0; b < batches; ++b) {
    CAPTURE(b);
    REQUIRE(first[b].batch == b);
    REQUIRE(second[b].batch == b);
    CHECK(first[b].begin >= before - slack);
    CHECK(first[b].begin <= by.first[b] + slack);
    CHECK(first[b].end >= by.first[b] - slack);
    if (b % 2 == 0) CHECK(first[b].end >= by.first[b] + 1ms - slack);
    CHECK(second[b].begin <= by.second[b] + slack);
    CHECK(second[b].end >= by.second[b] - slack);
    CHECK(second[b].end <= after + slack);
    // Who waits for a task begins when it has ended: to the nanosecond, if the run has.
    CHECK(second[b].begin >= first[b].end - (runs ? slack : 0us));
  }
}

template <class Observer>
void check_times_of_types() {
  seen by{};
  st::pipeline<sights, Observer> pipeline(see_first{&by}, see_second{&by});
  const clock_type::time_point before = clock_type::now();
  std::size_t results = 0;
  for (const int r : pipeline.run(std::views::iota(0, 200))) {
    static_cast<void>(r);
    ++results;
  }
  CHECK(results == 200);
  check_times(pipeline.observer(), by, before, 200);
}

}  // namespace

TEST_CASE(
    "recorded times are those of the clock, on each thread, in a run of a tenth of a second") {
  check_times_of_types<st::timeline>();
}

TEST_CASE("and so they are where the clock itself is read") {
  check_times_of_types<by_clock_only>();
}

TEST_CASE("and of values, also of a run that goes on, and of one after another") {
  seen by{};
  st::dynamic::schedule s = st::dynamic::from_types<sights>(see_first{&by}, see_second{&by});
  st::dynamic::pipeline pipeline(s, st::timeline{}, st::barrier{});
  for (int run = 0; run < 2; ++run) {
    pipeline.observer().clear();
    const clock_type::time_point before = clock_type::now();
    std::vector<int> all(100);
    std::iota(all.begin(), all.end(), 0);
    std::size_t results = 0;
    for (const auto& r : pipeline.run(all)) {
      static_cast<void>(r);
      if (++results % 25 == 0) check_times(pipeline.observer(), by, before, results, true);
    }
    check_times(pipeline.observer(), by, before, 100);
  }
}

TEST_CASE("who is told of tasks and not of runs has times, too") {
  st::timeline record;
  const std::vector<std::string_view> threads{"a"};
  const std::vector<std::string_view> tasks{"one", "two", "pull", "deliver"};
  record.attached(threads, tasks);
  CHECK(record.spans(0).empty());
  const clock_type::time_point before = clock_type::now();
  record.started(0, 0, 0);
  const clock_type::time_point in_first = clock_type::now();
  record.finished(0, 0, 0);
  record.started(0, 1, 0, st::back_to_back{});
  const clock_type::time_point in_second = clock_type::now();
  record.finished(0, 1, 0);
  record.add(0, {1, 1, before, in_first});
  const clock_type::time_point after = clock_type::now();
  const auto spans = record.spans(0);
  REQUIRE(spans.size() == 3);
  CHECK(spans[0].begin >= before - slack);
  CHECK(spans[0].begin <= in_first + slack);
  CHECK(spans[0].end >= in_first - slack);
  CHECK(spans[1].begin <= in_second + slack);
  CHECK(spans[1].end >= in_second - slack);
  CHECK(spans[1].end <= after + slack);
  CHECK(spans[1].task == 1);
  // What was timed elsewhere is as it was.
  CHECK(spans[2].begin == before);
  CHECK(spans[2].end == in_first);
}

TEST_CASE("of two tasks back to back one begins when the other ends") {
  for (const bool clock_only : {false, true}) {
    CAPTURE(clock_only);
    by_clock_only by_clock;
    st::timeline by_counter;
    const std::vector<std::string_view> names{"a", "b", "pull", "deliver"};
    if (clock_only) by_clock.attached(names, names);
    if (!clock_only) by_counter.attached(names, names);
    st::timeline& record = clock_only ? by_clock : by_counter;
    constexpr std::size_t batches = 100;
    for (std::size_t b = 0; b < batches; ++b) {
      record.started(0, 0, b);
      record.finished(0, 0, b);
      record.started(0, 1, b, st::back_to_back{});
      record.finished(0, 1, b);
      std::this_thread::sleep_for(1us);
    }
    record.run_ended();
    const auto spans = record.spans(0);
    REQUIRE(spans.size() == 2 * batches);
    std::size_t together = 0;
    for (std::size_t i = 1; i < spans.size(); ++i) {
      CHECK(spans[i].begin >= spans[i - 1].end);
      if (i % 2 == 0) CHECK(spans[i].begin > spans[i - 1].end);
      if (i % 2 == 1 && spans[i].begin == spans[i - 1].end) ++together;
    }
    // Except where the clock was read in between.
    CHECK(together > batches / 2);
  }
}

TEST_CASE("a record outlives its pipeline, names and all") {
  const std::string name = "a task whose name is too long for a short string";
  st::timeline record;
  {
    st::dynamic::schedule s;
    s.source.slot = "a";
    s.results = {"b"};
    s.tasks.push_back(
        {.name = name, .thread = name, .reads = {"a"}, .writes = {"b"}, .body = [](int a, int& b) {
           b = a;
         }});
    st::dynamic::pipeline pipeline(s, st::timeline{});
    for (const auto& r : pipeline.run(std::vector{1, 2, 3})) static_cast<void>(r);
    record = pipeline.observer();
    for (char& c : s.tasks[0].name) c = '?';
  }
  CHECK(record.tasks()[0] == name);
  CHECK(record.threads()[1] == name);
  std::ostringstream svg;
  st::draw_svg(svg, record, 0, 2);
  CHECK(svg.str().find(name) != std::string::npos);
}

TEST_CASE("a thread that waits for its source is not busy") {
  int next = 0;
  const auto slow = [&]() -> std::optional<int> {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return next < 10 ? std::optional(next++) : std::nullopt;
  };
  const auto check = [](const st::timeline& record) {
    const auto windows = record.windows(5);
    REQUIRE(windows.size() == 1);
    // Five pulls; the first may have begun before the window, and a preempted thread may read a
    // clock late.
    CHECK(windows[0].in_source[0].count() > 3 * 2e-3);
    CHECK(windows[0].in_source[0] <= windows[0].wall);
    CHECK(windows[0].busy[0] == st::timeline::seconds{});  // the caller has no other work
  };
  st::pipeline<sums, st::timeline> types;
  for (const int s : types.run(slow)) static_cast<void>(s);
  check(types.observer());

  next = 0;
  st::dynamic::schedule s;
  s.source.slot = "a";
  s.results = {"b"};
  s.tasks.push_back(
      {.name = "t", .reads = {"a"}, .writes = {"b"}, .body = [](int a, int& b) { b = a; }});
  st::dynamic::pipeline values(s, st::timeline{});
  for (const auto& r : values.run(slow)) static_cast<void>(r);
  check(values.observer());
}
