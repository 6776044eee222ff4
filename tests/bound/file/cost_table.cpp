// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Costs in files and out of traces.

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stretto/bound.hpp>
#include <stretto/cost_file.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <string_view>
#include <vector>
#include "../../support/scratch.hpp"

namespace st = stretto;

namespace {

std::string refusal(const std::string& text) {
  try {
    st::cost_table::parse(text);
  } catch (const st::dynamic::file_error& e) {
    return e.what();
  }
  return "";
}
std::string refused_trace(const std::string& text) {
  try {
    st::cost_table::parse_trace(text);
  } catch (const st::dynamic::file_error& e) {
    return e.what();
  }
  return "";
}
// What is handed on refers to the table's names, which a temporary does not keep.
template <class Table>
concept hands_on_costs = requires(Table table) { static_cast<Table&&>(table).costs(); };
static_assert(hands_on_costs<const st::cost_table&>);
static_assert(!hands_on_costs<st::cost_table>);
static_assert(!hands_on_costs<const st::cost_table>);

bool says(const std::string& text, std::string_view what) {
  INFO(text);
  return text.find(what) != std::string::npos && text.find("json:") != std::string::npos;
}

std::vector<st::task_cost> costs_in(const std::string& text, st::cost_table& kept) {
  kept = st::cost_table::parse(text);
  return kept.costs();
}

}  // namespace

TEST_CASE("what was written is read back, in the order of names") {
  const std::vector<st::task_cost> given{{"train", 9'000'000'000'000'000'000}, {"load \"x\"", 0}};
  const st::cost_table table{st::planner::view<st::task_cost>(given.data(), given.size())};
  st::cost_table kept;
  const auto read = costs_in(table.to_json(), kept);
  REQUIRE(read.size() == 2);
  CHECK(!read[0].varies());
  CHECK(read[0].task == "load \"x\"");
  CHECK(read[0].time == 0);
  CHECK(read[1].task == "train");
  CHECK(read[1].time == 9'000'000'000'000'000'000);
  const st::cost_table none;
  CHECK(none.costs().empty());
  CHECK(costs_in(st::cost_table().to_json(), kept).empty());

  const tested::scratch_folder here;
  const std::string path = (here.path() / "costs.json").string();
  table.save(path);
  CHECK(st::cost_table::load(path).to_json() == table.to_json());
}

TEST_CASE("what is no file of costs says why") {
  CHECK(says(refusal("{"), "costs.json:1:2: not JSON: syntax error"));
  CHECK(says(refusal("{\n  \"stretto\" 1}"), "costs.json:2:"));
  CHECK(refusal(R"({"stretto": nul})").ends_with("value - invalid literal"));
  CHECK(says(refusal("[]"), "expected an object"));
  CHECK(says(refusal("{}"), "field \"stretto\" has to be 1"));
  CHECK(says(refusal(R"({"stretto": 2, "nanoseconds": {}})"), "field \"stretto\" has to be 1"));
  CHECK(says(refusal(R"({"stretto": 1})"), "field \"nanoseconds\" has to be an object"));
  CHECK(says(refusal(R"({"stretto": 1, "nanoseconds": []})"), "has to be an object"));
  CHECK(says(refusal(R"({"stretto": 1, "nanosecond": {}})"), "unknown field \"nanosecond\""));
  CHECK(says(refusal(R"({"stretto": 1, "nanoseconds": {"a": 1, "b": 2, "a": 1}})"),
             "field \"a\" appears twice"));
  for (const char* const time : {"1.5", "-1", "\"1\"", "null", "9223372036854775808", "1e400"})
    CHECK(refusal(std::string(R"({"stretto": 1, "nanoseconds": {"a": )") + time + "}}") != "");
  CHECK(says(refusal(R"({"stretto": 1, "nanoseconds": {"a": -1}})"),
             "task `a`: expected a whole number of nanoseconds, found -1"));
  CHECK(says(refusal(R"({"stretto": 1, "nanoseconds": {"a": [1]}})"), "found a list"));
  CHECK(refusal(R"({"stretto": 1, "nanoseconds": {"a": 9223372036854775807}})") == "");
  CHECK_THROWS_AS(st::cost_table::load("no/such/file.json"), st::dynamic::file_error);
  CHECK_THROWS_AS(st::cost_table().save("no/such/file.json"), st::dynamic::file_error);
}

TEST_CASE("texts that nest deep, and names that are no text, are refused and do no harm") {
  const std::string deep(100'000, '[');
  CHECK(refusal(deep) != "");
  CHECK(refusal(R"({"stretto": 1, "nanoseconds": {"a": )" + deep + std::string(100'000, ']') +
                "}}") != "");
  CHECK(refused_trace(R"({"traceEvents": )" + deep + std::string(100'000, ']') + "}") != "");
  const std::vector<st::task_cost> bytes{{"\xFF", 1}};
  CHECK_THROWS_AS(st::cost_table(st::planner::view<st::task_cost>(bytes.data(), 1)).to_json(),
                  st::usage_error);
}

TEST_CASE("costs that are told twice, or are less than nothing, are no table") {
  const std::vector<st::task_cost> twice{{"a", 1}, {"a", 1}};
  const std::vector<st::task_cost> less{{"a", -1}};
  CHECK_THROWS_AS(st::cost_table(st::planner::view<st::task_cost>(twice.data(), 2)),
                  st::usage_error);
  CHECK_THROWS_AS(st::cost_table(st::planner::view<st::task_cost>(less.data(), 1)),
                  st::usage_error);
}

TEST_CASE("a trace gives the medians that its timeline gives") {
  using std::chrono::microseconds;
  st::timeline record;
  const std::vector<std::string_view> threads{"caller", "io"};
  const std::vector<std::string_view> tasks{"load", "train", "pull", "deliver"};
  record.attached(threads, tasks);
  const auto at = [](int us) { return st::timeline::clock::time_point(microseconds(us)); };
  int now = 0;
  for (std::size_t b = 0; b < 5; ++b) {
    const int took = 10 + 7 * static_cast<int>(b * b % 5);
    record.add(0, {2, b, at(now), at(now + 1000)});
    record.add(1, {0, b, at(now), at(now + took)});
    record.add(0, {1, b, at(now), at(now + 2 * took)});
    now += 5000;
  }
  std::ostringstream trace;
  st::write_trace(trace, record);
  const auto measured = st::measured_costs(record);
  CHECK(
      st::cost_table::parse_trace(trace.str()).to_json() ==
      st::cost_table(st::planner::view<st::task_cost>(measured.data(), measured.size())).to_json());
}

TEST_CASE("what is no trace says why") {
  CHECK(says(refused_trace("{"), "not JSON: "));
  CHECK(says(refused_trace("[]"), "this is no trace"));
  CHECK(says(refused_trace("{}"), "this is no trace"));
  CHECK(says(refused_trace(R"({"traceEvents": []})"), "no task ran in this trace"));
  CHECK(says(refused_trace(R"({"traceEvents": [{"ph": "X", "cat": "task", "name": "a"}]})"),
             "event 0 is of a task, and has no name or no time"));
  CHECK(says(
      refused_trace(
          R"({"traceEvents": [{"ph": 1, "cat": {}}, {"ph": "X", "cat": "task", "name": "a", "dur": -1}]})"),
      "event 1 is of a task"));
  CHECK(says(
      refused_trace(R"({"traceEvents": [{"ph": "X", "cat": "task", "name": "a", "dur": 1e300}]})"),
      "event 0"));
}

namespace {

std::string refused_nvtx(const std::string& text) {
  try {
    st::cost_table::parse_nvtx(text, "ranges.json");
  } catch (const st::dynamic::file_error& e) {
    return e.what();
  }
  return "";
}
constexpr const char* host_ranges = R"(Generating SQLite file run.sqlite from run.nsys-rep
Processing [run.sqlite] with [nvtx_sum.py]...
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Style,Range
60.0,631355508,50,12627110.2,12600000.5,11000000,18786412,1417632.9,PushPop,stretto:train
20.0,135904229,50,2718084.6,2240097.0,2026050,3786412,1417.9,PushPop,"stretto:load, ""all, all"""
19.3,135904229,1,135904229.0,135904229.0,135904229,135904229,0.0,PushPop,:epoch
0.5,100,50,2.0,2.0,1,3,0.0,PushPop,stretto:pull
0.5,100,50,2.0,2.0,1,3,0.0,PushPop,stretto:deliver
)";
constexpr const char* device_ranges = R"(
Range,Style,Total Proj Time (ns),Total Range Time (ns),Range Instances,Proj Avg (ns),Proj Med (ns),Proj Min (ns),Proj Max (ns),Proj StdDev (ns),Total GPU Ops,Avg GPU Ops,Avg Range Lvl,Avg Num Child
stretto:train,PushPop,1434377293,55391429,50,28687545.9,28463458.0,260463255,27637052,555.2,600,12.0,0.0,0.0
)";

}  // namespace

TEST_CASE("what a profiler says of ranges gives the medians of tasks") {
  st::cost_table table = st::cost_table::parse_nvtx(host_ranges);
  CHECK(nlohmann::json::parse(table.to_json())["nanoseconds"] ==
        nlohmann::json{{"load, \"all, all\"", 2'240'097}, {"pull", 0}, {"train", 12'600'001}});
  CHECK(nlohmann::json::parse(table.to_json())["between"]["train"] ==
        nlohmann::json{11'000'000, 18'786'412});
  table.update(st::cost_table::parse_nvtx(device_ranges));
  const std::string both = table.to_json();
  CHECK(nlohmann::json::parse(both)["nanoseconds"] ==
        nlohmann::json{{"load, \"all, all\"", 2'240'097}, {"pull", 0}, {"train", 28'463'458}});
  // In one file: what follows the rows of a table is none of them.
  CHECK(st::cost_table::parse_nvtx(std::string(host_ranges) + "done\n" + device_ranges).to_json() ==
        both);
  const st::cost_table cut =
      st::cost_table::parse_nvtx("Med (ns),Range\n5,stretto:a\n\n7,stretto:a\n");
  CHECK(cut.costs()[0].time == 5);
  std::string by_windows = host_ranges;
  for (std::size_t at = 0; (at = by_windows.find('\n', at)) != std::string::npos; at += 2)
    by_windows.replace(at, 1, "\r\n");
  CHECK(st::cost_table::parse_nvtx(by_windows).to_json() ==
        st::cost_table::parse_nvtx(host_ranges).to_json());
}

TEST_CASE("what has no ranges of tasks says why") {
  CHECK(says(refused_nvtx(""), "this is no report of NVTX ranges in nanoseconds"));
  CHECK(says(refused_nvtx("Med (ns),Name\n1,stretto:a\n"), "no columns \"Range\""));
  CHECK(says(refused_nvtx("Med (ms),Range\n1,stretto:a\n"), "no report"));
  CHECK(says(refused_nvtx("Med (ns),Range\n1,:a\n"), "no range is of the domain `stretto`"));
  CHECK(says(refused_nvtx("Med (ns),Range\n1,stretto:pull\n"), "no range is of the domain"));
  CHECK(says(refused_nvtx("Med (ns),Range\n\nMed (ns),Range\n1 ms,stretto:a\n"),
             "line 4: range `stretto:a` has no time in nanoseconds, but `1 ms`"));
  CHECK(says(refused_nvtx("Med (ns),Range\n-1,stretto:a\n"), "line 2: range `stretto:a`"));
  CHECK(says(refused_nvtx("Med (ns),Range\n1e300,stretto:a\n"), "line 2"));
  CHECK(says(refused_nvtx("Med (ns),Range\n,stretto:a\n"), "but ``"));
  CHECK(says(refused_nvtx("Med (ns),Range\nnan,stretto:a\n"), "but `nan`"));
}

TEST_CASE("the costs for which a schedule was found have ranges, which are read back") {
  const st::cost_table table = st::cost_table::parse(
      R"({"stretto": 1, "nanoseconds": {"a": 5, "b": 6, "c": 7}, "best_within": {"a": [0, 8], "b": [4]}})");
  CHECK(st::cost_table::parse(table.to_json()).to_json() == table.to_json());
  const auto changes = [&](std::vector<st::task_cost> now) {
    std::string all;
    for (const std::string& one : table.changes({now.data(), now.size()})) all += one + "\n";
    return all;
  };
  CHECK(changes({{"a", 5}, {"b", 6}, {"c", 7}}).empty());
  CHECK(changes({{"a", 0}, {"b", 4}, {"c", 7}}).empty());
  CHECK(changes({{"c", 7}, {"a", 8}, {"b", 600}}).empty());
  CHECK(changes({{"a", 9}, {"b", 3}, {"c", 8}}) ==
        "task `a` takes 9, but the schedule was found for 5 and is the best from 0 to 8\n"
        "task `b` takes 3, but the schedule was found for 6 and is the best from 4 on\n"
        "task `c` takes 8, but the schedule was found for 7\n");
  CHECK(changes({{"a", 5}, {"c", 7}, {"d", 1}}) ==
        "task `b`, with which the schedule was found, is none of its tasks any more\n"
        "task `d` came in after the schedule was found\n");
  const std::vector<st::task_cost> now{{"a", 0}, {"b", 6}, {"c", 8}};
  CHECK(table.changed({now.data(), now.size()}) == std::vector<std::string>{"a", "c"});
}

TEST_CASE("between what a task takes is kept, and is around what it takes") {
  const std::string text =
      R"({"stretto": 1, "nanoseconds": {"a": 5, "b": 6}, "between": {"a": [4, 9]}})";
  st::cost_table kept;
  const auto read = costs_in(text, kept);
  REQUIRE(read.size() == 2);
  CHECK(read[0].varies());
  CHECK(read[0].least == 4);
  CHECK(read[0].most == 9);
  CHECK(!read[1].varies());
  CHECK(nlohmann::json::parse(kept.to_json()) == nlohmann::json::parse(text));
  st::cost_table other = st::cost_table::parse(R"({"stretto": 1, "nanoseconds": {"a": 7}})");
  kept.update(other);
  CHECK(!kept.costs()[0].varies());

  const auto refused = [](const std::string& between) {
    return refusal(R"({"stretto": 1, "nanoseconds": {"a": 5}, "between": )" + between + "}");
  };
  CHECK(says(refused("3"), "\"between\" has to be an object with two times for each task"));
  CHECK(
      says(refused(R"({"a": [4]})"), "task `a`: \"between\" has a list of the least and the most"));
  CHECK(says(refused(R"({"b": [4, 9]})"), "task `b` has no time in \"nanoseconds\""));
  CHECK(says(refused(R"({"a": [6, 9]})"), "task `a`: its time in \"nanoseconds\" is not one of"));
  CHECK(says(refused(R"({"a": [3, 4]})"), "task `a`: its time in \"nanoseconds\" is not one of"));
  CHECK(says(refused(R"({"a": [-3, 6]})"), "task `a`: expected a whole number of nanoseconds"));
}

TEST_CASE("a range that is none is refused") {
  const auto refused = [](const std::string& ranges) {
    return refusal(R"({"stretto": 1, "nanoseconds": {"a": 5}, "best_within": )" + ranges + "}");
  };
  CHECK(says(refused("3"), "\"best_within\" has to be an object with a range for each task"));
  CHECK(says(refused(R"({"a": 5})"), "task `a`: a range is a list of the least and"));
  CHECK(says(refused(R"({"a": []})"), "task `a`: a range is a list of the least and"));
  CHECK(says(refused(R"({"a": [1, 5, 9]})"), "task `a`: a range is a list of the least and"));
  CHECK(says(refused(R"({"a": [1.5]})"), "task `a`: expected a whole number of nanoseconds"));
  CHECK(says(refused(R"({"a": [-1]})"), "task `a`: expected a whole number of nanoseconds"));
  CHECK(says(refused(R"({"b": [1]})"), "\"best_within\": task `b` is not one of this plan"));
  CHECK(says(refused(R"({"a": [6, 9]})"), "the cost of task `a` is not in the range"));
  CHECK(says(refused(R"({"a": [1, 4]})"), "the cost of task `a` is not in the range"));
}
