// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/report.hpp>
#include <stretto/stretto.hpp>
#include <string>
#include <utility>
#include <vector>
#include "learning.hpp"
#include "svg_pieces.hpp"

namespace st = stretto;

namespace {

using namespace reported;

template <class Draw>
std::string drawn(Draw draw) {
  std::ostringstream out;
  draw(out);
  return out.str();
}
bool has(const std::string& all, const std::string& piece) {
  return all.find(piece) != std::string::npos;
}

st::padding_result::row row_of(double slope, double low, double high) {
  return {.task = "decode",
          .stretches = 20,
          .time = std::chrono::microseconds(4),
          .slope = slope,
          .low = low,
          .high = high};
}
/// What is said of a task, how long its bar is, and from where to where its line goes.
std::vector<std::string> bar_of(st::padding_result::row row) {
  st::padding_result found;
  found.period = std::chrono::microseconds(8);
  found.tasks = {std::move(row)};
  const std::string picture = drawn([&](auto& out) { st::draw_exposed(out, found); });
  const auto said = pieces_of(picture, "<text class=\"found\".*?>(.*?)<");
  const auto bars = pieces_of(picture, "<rect class=\"(.*?)\".*? width=\"(.*?)\"");
  const auto lines = pieces_of(picture, "<line class=\"range\" x1=\"(.*?)\".*? x2=\"(.*?)\"");
  REQUIRE(said.size() == 1);
  if (bars.empty()) return {said[0][0]};
  REQUIRE(lines.size() == 3);
  const double left = 6.7 * 6 + 16;
  return {said[0][0], bars[0][0] + " " + bars[0][1],
          std::to_string(std::lround(std::stod(lines[0][0]) - left)) + " to " +
              std::to_string(std::lround(std::stod(lines[0][1]) - left))};
}

}  // namespace

TEST_CASE("a picture is whole in itself, and that of values is that of types") {
  const st::dynamic::planned_schedule planned(st::dynamic::from_types<learning>());
  const std::vector<st::task_cost> costs{{"decode", 7000}};
  const st::timeline record = st::simulate<learning>({}, 20).record();
  const std::vector<std::string> pictures{
      drawn([](auto& out) { st::draw_graph<learning>(out); }),
      drawn([](auto& out) { st::draw_progresses<learning>(out); }),
      drawn([](auto& out) { st::draw_curve(out, st::bound_of<learning>(), "decode"); }),
      drawn([&](auto& out) { st::draw_idle(out, st::idle_of<learning>(record)); })};
  for (const std::string& picture : pictures) {
    CHECK(picture.find("<svg xmlns=\"http://www.w3.org/2000/svg\"") == 0);
    CHECK(has(picture, "<style>"));
    CHECK(has(picture, "prefers-color-scheme:dark"));
    CHECK(picture.rfind("</svg>\n") == picture.size() - 7);
  }
  CHECK(pictures[0] == drawn([&](auto& out) { st::draw_graph(out, planned); }));
  CHECK(pictures[1] == drawn([&](auto& out) { st::draw_progresses(out, planned); }));
  // What bounds the plan is lit, by weights and by costs.
  CHECK(has(pictures[0], "<g class=\"lit\"><title>train,"));
  const std::string other = drawn([&](auto& out) { st::draw_graph<learning>(out, costs); });
  CHECK(has(other, "<g class=\"lit\"><title>decode,"));
  CHECK(other == drawn([&](auto& out) { st::draw_graph(out, planned, costs); }));
  CHECK(has(drawn([](auto& out) { st::draw_graph<learning>(out, {}, st::barrier{}); }), "lit\""));
}

TEST_CASE("in a progress each task has its batch, but while the run fills and drains") {
  const std::string picture = drawn([](auto& out) { st::draw_progresses<learning>(out); });
  std::vector<std::string> found;  // kind and batch, row by row
  for (const auto& cell : pieces_of(picture, "<rect class=\"(.*?)\".*?/>\n<text .*?>(.*?)<"))
    found.push_back(cell[0] + " " + cell[1]);
  const std::vector<std::string> ahead{"source 0", "busy 1", "busy 2", "busy 3"};
  std::vector<std::string> all = ahead;               // `pull`
  all.insert(all.end(), ahead.begin(), ahead.end());  // `decode`
  all.insert(all.end(), {"busy 0", "busy 1", "busy 2", "source 3"});
  CHECK(found == all);
}

TEST_CASE("a curve bends where another task is the limit, and says where the task is now") {
  const std::string picture =
      drawn([](auto& out) { st::draw_curve(out, st::bound_of<learning>(), "train"); });
  // From no time to 10 us: a progress takes 3 us up to 3 us, and then what `train` does.
  CHECK(has(picture, "points=\"10.0,88.6 94.0,88.6 290.0,15.2 \""));
  CHECK(has(picture, "cx=\"150.0\" cy=\"67.6\""));
  CHECK(has(picture, ">10.0 \xC2\xB5s</text>"));
}

TEST_CASE("a wait is a part of what its thread did, and says what for") {
  const st::timeline record = st::simulate<learning>({}, 20).record();
  const std::string picture =
      drawn([&](auto& out) { st::draw_idle(out, st::idle_of<learning>(record)); });
  CHECK(has(picture, "<title>busy: 100 \xC2\xB5s</title>"));  // `train`, on 20 batches
  CHECK(has(picture, "<title>waited for pull, decode reads `file`: "));
}

TEST_CASE("a bar is a task's time by its slope, and a line its interval") {
  using bar = std::vector<std::string>;
  CHECK(bar_of(row_of(0.5, 0.25, 0.75)) ==
        bar{"exposed: 2.00 \xC2\xB5s (1.00 \xC2\xB5s to 3.00 \xC2\xB5s)", "wait 100.00",
            "50 to 150"});
  // A slope of less than none is none, of more than one is one.
  CHECK(bar_of(row_of(1.1, 0.75, 1.5)) ==
        bar{"exposed: 4.00 \xC2\xB5s (3.00 \xC2\xB5s to 4.00 \xC2\xB5s)", "wait 200.00",
            "150 to 200"});
  CHECK(bar_of(row_of(-0.1, -0.5, 0.05)) ==
        bar{"hidden: 0 (0 to 200 ns)", "other 0.00", "0 to 10"});
  CHECK(bar_of(row_of(0.25, 0, 0.5))[0] == "unknown: 1.00 \xC2\xB5s (0 to 2.00 \xC2\xB5s)");
}

TEST_CASE(
    "where there is no interval, all of the task may be exposed; not padded, nothing is said") {
  const double infinite = std::numeric_limits<double>::infinity();
  st::padding_result::row row = row_of(0.5, -infinite, infinite);
  row.stretches = 3;
  CHECK(bar_of(row) ==
        std::vector<std::string>{"unknown: padded in 3 stretches", "other 100.00", "0 to 200"});
  row.is_padded = false;
  CHECK(bar_of(row) == std::vector<std::string>{"not padded"});
}

TEST_CASE("there is room for what takes longer than a progress") {
  st::padding_result found;
  found.period = std::chrono::microseconds(1);
  found.tasks = {row_of(0.5, 0.25, 0.75)};  // of workers that take turns
  const std::string picture = drawn([&](auto& out) { st::draw_exposed(out, found); });
  CHECK(has(picture, ">3.00 \xC2\xB5s</text>"));
  CHECK(has(picture, " width=\"266.67\""));
}

TEST_CASE("what cannot be drawn is refused") {
  std::ostringstream out;
  CHECK_THROWS_AS(st::draw_curve(out, st::bound_of<learning>(), "eval"), st::usage_error);
  st::dynamic::schedule deep = st::dynamic::from_types<learning>();
  deep.tasks[0].lookahead = 10;
  CHECK_NOTHROW(st::draw_progresses(out, st::dynamic::planned_schedule(deep)));
  deep.tasks[0].lookahead = 11;
  CHECK_THROWS_AS(st::draw_progresses(out, st::dynamic::planned_schedule(deep)),
                  std::invalid_argument);
  st::dynamic::schedule wide;
  wide.name = "wide";
  wide.source.slot = "x0";
  for (int t = 0; t < 199; ++t)
    wide.tasks.push_back({.name = "t" + std::to_string(t),
                          .reads = {"x" + std::to_string(t)},
                          .writes = {"x" + std::to_string(t + 1)},
                          .body = [](int a, int& b) { b = a; }});
  wide.results = {"x199"};
  CHECK_THROWS_AS(st::draw_graph(out, st::dynamic::planned_schedule(wide)), std::invalid_argument);
  wide.tasks.pop_back();
  wide.results = {"x198"};
  CHECK_NOTHROW(st::draw_graph(out, st::dynamic::planned_schedule(wide)));
}

TEST_CASE("a report refuses the padding of another schedule") {
  const st::timeline record = st::simulate<learning>({}, 20).record();
  std::ostringstream out;
  st::padding_result padded;
  padded.tasks.push_back(row_of(1, 1, 1));
  const auto report = [&] { st::write_report<learning>(out, record, {}, {}, &padded); };
  CHECK_THROWS_AS(report(), st::usage_error);
  padded.tasks.push_back(row_of(1, 1, 1));
  CHECK_THROWS_WITH_AS(
      report(),
      "the padding is of another schedule than the report: of the task `decode` where the report "
      "has `train`",
      st::usage_error);
  padded.tasks[1].task = "train";
  CHECK_NOTHROW(report());
}
