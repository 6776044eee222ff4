// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Records out of traces.

#include <doctest/doctest.h>
#include <chrono>
#include <cstddef>
#include <sstream>
#include <stretto/bound.hpp>
#include <stretto/cost_file.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/report.hpp>
#include <stretto/schedule_file.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace st = stretto;

namespace {

st::dynamic::planned_schedule learning() {
  st::dynamic::schedule s;
  s.name = "learning";
  s.source.slot = "file";
  s.results = {"loss"};
  s.tasks.push_back({.name = "load \"x\"",
                     .thread = "io",
                     .lookahead = 1,
                     .weight = 3000,
                     .reads = {"file"},
                     .writes = {"image"},
                     .body = [](int a, int& b) { b = a; }});
  s.tasks.push_back({.name = "train",
                     .thread = "gpu",
                     .weight = 5000,
                     .reads = {"image"},
                     .writes = {"loss"},
                     .body = [](int a, int& b) { b = a; }});
  return st::dynamic::planned_schedule(s);
}
std::string trace_of(const st::timeline& record) {
  std::ostringstream out;
  st::write_trace(out, record);
  return out.str();
}
std::string refused(const std::string& text) {
  try {
    st::parse_trace(learning(), text);
  } catch (const st::dynamic::file_error& e) {
    return e.what();
  }
  return "";
}
std::string refused_events(const std::string& events) {
  return refused(R"({"traceEvents": [)" + events + "]}");
}
bool says(const std::string& text, std::string_view what) {
  INFO(text);
  return text.find(what) != std::string::npos && text.find("trace.json: ") != std::string::npos;
}

const std::string row =
    R"({"ph": "M", "pid": 1, "tid": 0, "name": "thread_name", "args": {"name": "caller"}})";
std::string run_on(const std::string& tid, const std::string& more) {
  return R"({"ph": "X", "pid": 1, "tid": )" + tid + R"(, "name": "train", "cat": "task")" + more +
         "}";
}

}  // namespace

TEST_CASE("a record that was written is read back, to the nanosecond") {
  const st::dynamic::planned_schedule planned = learning();
  st::timeline record = st::simulate(planned, {}, 20).record();
  record.name_streams(std::vector<std::string_view>{"compute"});
  const auto at = [](int ns) {
    return st::timeline::clock::time_point(std::chrono::nanoseconds(ns));
  };
  record.add_on_stream(0, {1, 3, at(1'234'567'891), at(1'234'569'999)});
  record.add(1, {0, 1000, at(1'234'567'891), at(1'234'569'999), 7});  // it was paused in between
  const st::timeline read = st::parse_trace(planned, trace_of(record));
  REQUIRE(read.threads().size() == record.threads().size());
  for (std::size_t t = 0; t < read.threads().size(); ++t) {
    CHECK(read.threads()[t] == record.threads()[t]);
    const auto was = record.spans(t);
    const auto is = read.spans(t);
    REQUIRE(is.size() == was.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
      CHECK(is[i].task == was[i].task);
      CHECK(is[i].batch == was[i].batch);
      CHECK(is[i].begin == was[i].begin);
      CHECK(is[i].end == was[i].end);
      CHECK(is[i].stretch == was[i].stretch);
    }
  }
  REQUIRE(read.streams().size() == 1);
  CHECK(read.streams()[0] == "compute");
  REQUIRE(read.stream_spans(0).size() == 1);
  CHECK(read.stream_spans(0)[0].end == at(1'234'569'999));
  CHECK(st::idle_of(planned, read).text() == st::idle_of(planned, record).text());
}

TEST_CASE("names of any characters come through files of schedules, traces and costs") {
  using namespace std::string_literals;
  const std::vector<std::string> names{"a\x01\x1b[2J\r\n\t\x7f",
                                       "zero\0byte"s,
                                       "\xC2\x85\xE2\x80\xA8\xE2\x80\xA9 separated",
                                       "\xE2\x80\xAE\xE2\x81\xA6 turned",
                                       "\xEF\xBB\xBF\xEF\xBF\xBE\xF0\x9F\xBF\xBE",
                                       "\xE2\x90\x8A\xEF\xBF\xBD",
                                       "\\u0000 \\\"",
                                       "/, '\xC3\xA4"};
  for (const std::string& name : names) {
    CAPTURE(name);
    st::dynamic::schedule s;
    s.source.slot = "in";
    s.results = {"out"};
    s.tasks.push_back({.name = name, .thread = name, .reads = {"in"}, .writes = {"out"}});
    const st::dynamic::schedule_file file(to_json(s));
    REQUIRE(file.ok());
    REQUIRE(file.schedule().tasks[0].name == name);
    const st::dynamic::planned_schedule planned(file.schedule());
    const std::string trace = trace_of(st::simulate(planned, {{name, 70}}, 3).record());
    const st::timeline read = st::parse_trace(planned, trace);
    CHECK(read.threads().back() == name);
    std::ostringstream page;
    write_report(page, planned, read, st::run_ahead{});
    const auto costs = st::cost_table::parse(st::cost_table::parse_trace(trace).to_json());
    REQUIRE(costs.costs().size() == 2);
    CHECK((costs.costs()[0].task == name || costs.costs()[1].task == name));
    CHECK(st::bound_of(planned, {costs.costs().data(), costs.costs().size()}).period().time == 70);
  }
}

TEST_CASE("what is no trace of the schedule says why") {
  CHECK(says(refused("[]"), "this is no trace"));
  CHECK(says(refused_events(row), "no task ran in this trace"));
  CHECK(says(refused_events(row + ", " + run_on("0", "")), "event 1 has no batch"));
  CHECK(says(refused_events(row + ", " + run_on("0", R"(, "args": {"batch": -1}, "ts": 0)")),
             "event 1 has no number \"batch\""));
  CHECK(says(refused_events(row + ", " + run_on("0", R"(, "args": {"batch": 1}, "dur": 5)")),
             "event 1 has no time \"ts\""));
  CHECK(says(
      refused_events(row + ", " + run_on("0", R"(, "args": {"batch": 1}, "ts": 1, "dur": -5)")),
      "event 1 has no time \"dur\""));
  CHECK(
      says(refused_events(row + ", " + run_on("7", R"(, "args": {"batch": 1}, "ts": 1, "dur": 5)")),
           "a task ran on row 7, of which the trace does not say what it is"));
  CHECK(says(refused_events(row + ", " + row), "event 1 does not name the next row"));
  CHECK(says(refused_events(R"({"ph": "X", "cat": "task", "name": "eval"})"),
             "event 0 is of a task `eval`, which the schedule does not have"));
  CHECK(refused_events(row + ", 7, " + run_on("0", R"(, "args": {"batch": 1}, "ts": 1, "dur": 5)"))
            .empty());
}
