// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cstddef>
#include <sstream>
#include <stretto/report/write_comparison.hpp>
#include <stretto/run/error.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "../observe/hand_made.hpp"
#include "svg_pieces.hpp"

namespace st = stretto;

namespace {

/// Batches of \p each milliseconds on two threads, one of which also runs what the other does.
hand_made run_of(std::vector<std::string_view> tasks, int each) {
  hand_made h({"caller", "io"}, std::move(tasks));
  const std::size_t pull = h.record.tasks().size() - 2;
  for (int b = 0; b < 12; ++b) {
    const auto batch = static_cast<std::size_t>(b);
    h.run(0, pull, batch, each * b, each * b + 1)
        .run(0, 0, batch, each * b + 1, each * b + 3)
        .run(1, 0, batch, each * b + 3, each * b + 5);
  }
  return h;
}

std::string compared(const hand_made& a, const hand_made& b) {
  std::ostringstream out;
  st::write_comparison(out, "first", a.record, "second", b.record);
  return out.str();
}

bool tells(const std::string& page, const std::string& sentence) {
  return page.find(sentence) != std::string::npos;
}

}  // namespace

TEST_CASE("what a progress took, and by how much that differs") {
  const std::string page = compared(run_of({"load"}, 10), run_of({"load"}, 15));
  CHECK(tells(page,
              "A progress took <b>10.0 ms</b> in <code>first</code>, and <b>15.0 ms</b> in "
              "<code>second</code>: 1.50 of the first."));
}

TEST_CASE("a task has the threads that ran it, in each run, and nothing of a run without it") {
  const std::string page = compared(run_of({"load"}, 10), run_of({"fetch"}, 10));
  const auto rows = pieces_of(page, "<tr><td>(load|fetch)</td>(.*?)</tr>");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0][0] == "load");
  CHECK(rows[0][1] ==
        "<td class=\"n\">2.00 ms</td><td>caller, io</td><td class=\"n\"></td><td></td><td></td>");
  CHECK(rows[1][1] ==
        "<td class=\"n\"></td><td></td><td class=\"n\">2.00 ms</td><td>caller, io</td><td></td>");
}

TEST_CASE("a thread is as busy as it is of all the run, and the source is told apart") {
  const std::string page = compared(run_of({"load"}, 10), run_of({"load"}, 10));
  // From 0 to 115 ms: 24 of work and 12 in the source on one thread, 24 on the other.
  const auto rows = pieces_of(page, "<tr><td>(caller|io)</td><td>(.*?)</td><td>(.*?)</td></tr>");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0][1].find("width:20.87%") != std::string::npos);
  CHECK(rows[0][1].find("title=\"10 % in the source\" style=\"width:10.43%\"") !=
        std::string::npos);
  CHECK(rows[1][1].find("width:20.87%") != std::string::npos);
  CHECK(rows[1][1].find("title=\"0 % in the source\"") != std::string::npos);
}

TEST_CASE("a gap in a record is no time in which a thread could have been busy") {
  hand_made run = run_of({"load"}, 10);
  const std::size_t pull = run.record.tasks().size() - 2;
  for (int b = 0; b < 12; ++b) {
    const auto batch = static_cast<std::size_t>(1000 + b);
    run.run(0, pull, batch, 9000 + 10 * b, 9000 + 10 * b + 1, 1)
        .run(0, 0, batch, 9000 + 10 * b + 1, 9000 + 10 * b + 3, 1)
        .run(1, 0, batch, 9000 + 10 * b + 3, 9000 + 10 * b + 5, 1);
  }
  const std::string page = compared(run, run_of({"load"}, 10));
  const auto rows = pieces_of(page, "<tr><td>(caller|io)</td><td>(.*?)</td><td>(.*?)</td></tr>");
  REQUIRE(rows.size() == 2);
  CHECK(rows[0][1].find("width:20.87%") != std::string::npos);
  CHECK(rows[0][1] == rows[0][2]);
  CHECK(rows[1][1] == rows[1][2]);
}

TEST_CASE("a second is as wide in both pictures") {
  const std::string page = compared(run_of({"load"}, 10), run_of({"load"}, 20));
  const auto figures = pieces_of(page, "width:(.*?)%\"[^>]*>\n<svg .*?viewBox=\"0 0 (.*?) ");
  const auto begins = pieces_of(page, "<text x=\"([^\"]*)\"[^>]*>0 ms<");
  const auto ticks = pieces_of(page, "<text x=\"([^\"]*)\"[^>]*>20 ms<");
  REQUIRE(figures.size() == 2);
  REQUIRE(begins.size() == 2);
  REQUIRE(ticks.size() == 2);
  std::vector<double> wide;  // 20 ms, of the page
  for (std::size_t r = 0; r < 2; ++r)
    wide.push_back((std::stod(ticks[r][0]) - std::stod(begins[r][0])) * std::stod(figures[r][0]) /
                   std::stod(figures[r][1]));
  CHECK(wide[0] == doctest::Approx(wide[1]).epsilon(1e-3));
  CHECK(std::stod(figures[1][0]) == doctest::Approx(100));
}

TEST_CASE("of a record that is too short no period is told") {
  const hand_made nothing({"caller", "io"}, {"load"});
  const std::string page = compared(run_of({"load"}, 10), nothing);
  CHECK(tells(page, "A record is too short to say what a progress took."));
  CHECK_FALSE(tells(page, "<section id=\"timelines\">"));
}

TEST_CASE("a padding of other tasks is refused") {
  const hand_made run = run_of({"load"}, 10);
  st::padding_result padded;
  std::ostringstream out;
  const auto compare = [&] {
    st::write_comparison(out, "a", run.record, "b", run.record, nullptr, &padded);
  };
  CHECK_THROWS_WITH_AS(compare(),
                       "the padding is of another schedule than the report: of 0 tasks, not 1",
                       st::usage_error);
  padded.tasks.push_back({.task = "fetch"});
  CHECK_THROWS_WITH_AS(compare(),
                       "the padding is of another schedule than the report: of the task `fetch` "
                       "where the report has "
                       "`load`",
                       st::usage_error);
  padded.tasks[0].task = "load";
  CHECK_NOTHROW(compare());
}
