// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <optional>
#include <ranges>
#include <sstream>
#include <stretto/dynamic.hpp>
#include <stretto/observe/draw.hpp>
#include <stretto/observe/timeline.hpp>
#include <stretto/stretto.hpp>
#include <string>
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
