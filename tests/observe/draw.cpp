// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <doctest/doctest.h>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stretto/observe/draw.hpp>
#include <stretto/observe/trace.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "hand_made.hpp"

namespace {

// Tags nest and close, attributes are quoted, entities end: as much of XML as a drawing uses.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  std::size_t roots = 0;
  for (std::size_t i = 0; i < xml.size(); ++i) {
    if (xml[i] == '&') {
      const std::size_t end = xml.find(';', i);
      const std::string name = xml.substr(i + 1, end - i - 1);
      if (name != "lt" && name != "gt" && name != "amp" && name != "quot") return false;
    } else if (xml[i] == '>') {
      return false;
    } else if (xml[i] == '<') {
      const bool closing = xml[i + 1] == '/';
      std::size_t end = i + (closing ? 2 : 1);
      std::string name;
      while (std::isalnum(static_cast<unsigned char>(xml[end])) != 0) name += xml[end++];
      bool quoted = false;
      while (end < xml.size() && (quoted || xml[end] != '>')) {
        if (xml[end] == '"') quoted = !quoted;
        if (xml[end] == '<') return false;
        ++end;
      }
      if (end == xml.size()) return false;
      if (closing) {
        if (open.empty() || open.back() != name) return false;
        open.pop_back();
      } else if (xml[end - 1] != '/') {
        if (open.empty() && ++roots > 1) return false;
        open.push_back(name);
      }
      i = end;
    }
  }
  return open.empty() && roots == 1;
}

std::string drawn(const hand_made& h, std::size_t first, std::size_t last,
                  std::string_view title = {}) {
  std::ostringstream out;
  stretto::draw_svg(out, h.record, first, last, title);
  return out.str();
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("in the dark all is dark but batches and what is written on them") {
  hand_made h({"a"}, {"copy"});
  h.run(0, 0, 0, 0, 10).run(0, 0, 1, 10, 20);
  const std::string svg = drawn(h, 0, 0, "title");
  CHECK(svg.find("<style>@media(prefers-color-scheme:dark){.timeline .paper{fill:#161616}") !=
        std::string::npos);
  CHECK(svg.find("class=\"timeline\"") != std::string::npos);
  // Each colour that is not a batch's has a class: the paper, the title, a row, ...
  std::size_t at = 0;
  std::size_t without = 0;
  while ((at = svg.find(" fill=\"", at)) != std::string::npos) {
    if (svg[at - 1] != '"' || svg.rfind("class=\"", at) < svg.rfind('<', at)) ++without;
    ++at;
  }
  CHECK(without == 3);  // the legend's, the bar's, and the name in that
}

TEST_CASE("a drawing shows the runs of the batches asked for, and greys those that overlap them") {
  hand_made h({"caller", "copy"}, {"copy", "work"});
  for (int b = 0; b < 5; ++b)
    h.run(1, 0, static_cast<std::size_t>(b), 10 * b, 10 * b + 8)
        .run(0, 1, static_cast<std::size_t>(b), 10 * b + 10, 10 * b + 18);
  const std::string svg = drawn(h, 1, 2, "Two batches");
  CHECK(well_formed(svg));
  CHECK(has(svg, "Two batches"));
  CHECK(has(svg, ">batch 1<"));
  CHECK(has(svg, ">batch 2<"));
  CHECK_FALSE(has(svg, ">batch 3<"));
  CHECK(count(svg, "<g>") == 6);  // copies 1 to 3, work 0 to 2
  CHECK(count(svg, "#d4d4d4") == 2);
  CHECK(has(svg, ">0 ms<"));
  CHECK(has(svg, ">5 ms<"));
  CHECK(has(svg, ">25 ms<"));
  CHECK(has(svg, " % busy"));
}

TEST_CASE("what a thread spends in the source is paler, and not busy") {
  hand_made h({"caller"}, {"work"});
  for (int b = 0; b < 3; ++b)
    h.run(0, 1, static_cast<std::size_t>(b), 10 * b, 10 * b + 8)
        .run(0, 0, static_cast<std::size_t>(b), 10 * b + 8, 10 * b + 10);
  const std::string svg = drawn(h, 0, 2);
  CHECK(well_formed(svg));
  CHECK(has(svg, ">20 % busy<"));
  CHECK(has(svg, ">80 % source<"));
  CHECK(has(svg, "pull, batch 0, 8000.00 us in the source"));
  CHECK(count(svg, "fill-opacity=\"0.3\"") == 3);

  std::ostringstream out;
  stretto::write_trace(out, h.record);
  const auto events = nlohmann::json::parse(out.str()).at("traceEvents");
  CHECK(events[1].at("cat") == "source");
  CHECK(events[2].at("cat") == "task");
}

TEST_CASE("streams have rows of their own, below those of threads") {
  hand_made h({"memcpy"}, {"copy"});
  const std::vector<std::string_view> streams{"memcpy", "<other>"};
  h.record.name_streams(streams);
  h.run(0, 0, 0, 0, 1).run_on_stream(0, 0, 0, 5, 10);
  const std::string svg = drawn(h, 0, 0);
  CHECK(well_formed(svg));
  CHECK(count(svg, ">memcpy<") == 1);
  CHECK(svg.find(">memcpy<") < svg.find(">memcpy (device)<"));
  CHECK(has(svg, ">&lt;other&gt; (device)<"));
  CHECK(has(svg, ">10 % busy<"));
  CHECK(has(svg, ">50 % busy<"));
  CHECK(has(svg, ">10 ms<"));

  std::ostringstream out;
  stretto::write_trace(out, h.record);
  const auto events = nlohmann::json::parse(out.str()).at("traceEvents");
  REQUIRE(events.size() == 11);  // with four of counters
  CHECK(events[2].at("args").at("name") == "threads");
  CHECK(events[3].at("args").at("name") == "streams of the device");
  CHECK(events[4].at("args").at("name") == "memcpy");
  CHECK(events[4].at("pid") == 2);
  CHECK(events[5].at("name") == "copy");
  CHECK(events[5].at("pid") == 2);
  CHECK(events[5].at("dur").get<double>() == doctest::Approx(5000));
  CHECK(events[6].at("args").at("name") == "<other>");
}

TEST_CASE("names are escaped") {
  hand_made h({R"(a<b>&"c")"}, {R"(task<"x", 1 & 2>)"});
  h.run(0, 0, 0, 0, 10);
  const std::string svg = drawn(h, 0, 0, "<&>");
  CHECK(well_formed(svg));
  CHECK(has(svg, "a&lt;b&gt;&amp;&quot;c&quot;"));
  CHECK(has(svg, "task&lt;&quot;x&quot;, 1 &amp; 2&gt;"));
}

TEST_CASE("a label that does not fit is shortened, or left to the pointer") {
  hand_made h({"caller"}, {"a_task_with_quite_a_long_name", "tiny"});
  h.run(0, 0, 0, 0, 10).run(0, 1, 0, 10, 11).run(0, 0, 0, 12, 100);
  const std::string svg = drawn(h, 0, 0);
  CHECK(well_formed(svg));
  CHECK(count(svg, ">a_task_with_quite_a_long_name<") == 1);
  CHECK(has(svg, "…"));
  CHECK_FALSE(has(svg, ">tiny<"));
  CHECK(has(svg, "<title>tiny, batch 0"));
}

TEST_CASE("a label is shortened by what is seen of it, and no character is cut") {
  const std::string name = "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\xA4\xC3\xB6\xC3\xBC";  // six umlauts
  hand_made h({"caller"}, {name, "last"});
  h.run(0, 0, 0, 0, 50).run(0, 0, 0, 50, 86).run(0, 1, 0, 900, 1000);
  const std::string svg = drawn(h, 0, 0);  // bars of 50 and 36 units
  CHECK(has(svg, ">" + name + "<"));
  CHECK(has(svg, ">\xC3\xA4\xC3\xB6\xC3\xBC…<"));
}

TEST_CASE("a drawing of nothing, of an instant and of many batches is still a drawing") {
  hand_made h({"caller"}, {"work"});
  CHECK(well_formed(drawn(h, 0, 10)));
  h.run(0, 0, 0, 5, 5);
  CHECK(well_formed(drawn(h, 0, 0)));
  for (int b = 1; b < 40; ++b) h.run(0, 0, static_cast<std::size_t>(b), b, b + 1);
  const std::string svg = drawn(h, 1, 39);
  CHECK(well_formed(svg));
  CHECK(has(svg, "and so on"));
}

TEST_CASE("ticks are at round numbers") {
  CHECK(stretto::observe::tick_step(10, 10) == doctest::Approx(1));
  CHECK(stretto::observe::tick_step(11, 10) == doctest::Approx(2));
  CHECK(stretto::observe::tick_step(3.4, 10) == doctest::Approx(0.5));
  CHECK(stretto::observe::tick_step(700, 10) == doctest::Approx(100));
}

TEST_CASE("a trace is JSON with a name per thread and an event per run") {
  hand_made h({"caller", R"(odd "name" \)"}, {"work"});
  h.run(0, 0, 0, 0, 3).run(1, 0, 1, 2, 7);
  std::ostringstream out;
  stretto::write_trace(out, h.record);
  const auto events = nlohmann::json::parse(out.str()).at("traceEvents");
  REQUIRE(events.size() == 12);  // with eight of counters
  CHECK(events[0].at("args").at("name") == "caller");
  CHECK(events[1].at("name") == "work");
  CHECK(events[1].at("dur").get<double>() == doctest::Approx(3000));
  CHECK(events[2].at("args").at("name") == R"(odd "name" \)");
  CHECK(events[3].at("tid") == 1);
  CHECK(events[3].at("args").at("batch") == 1);
  CHECK(events[3].at("ts").get<double>() - events[1].at("ts").get<double>() ==
        doctest::Approx(2000));
}

TEST_CASE("traces count batches in flight and busy threads") {
  hand_made h({"caller", "other"}, {"load", "use"});
  // Two batches overlap, from the begin of a pull to the end of the last task.
  h.run(0, 2, 7, 0, 1).run(0, 0, 7, 1, 4).run(1, 1, 7, 4, 9);
  h.run(0, 2, 8, 4, 5).run(0, 0, 8, 5, 9).run(1, 1, 8, 9, 12);
  h.run(0, 2, 9, 9, 20);  // the source has no more
  std::ostringstream out;
  stretto::write_trace(out, h.record);
  const auto events = nlohmann::json::parse(out.str()).at("traceEvents");
  using steps = std::vector<std::pair<long, int>>;  // milliseconds, value
  steps batches, busy;
  for (const auto& e : events) {
    if (e.at("ph") != "C") continue;
    const long ms = std::lround(e.at("ts").get<double>() / 1000) - 3'600'000;
    if (e.at("name") == "batches in flight") {
      batches.emplace_back(ms, e.at("args").at("batches"));
    } else {
      CHECK(e.at("name") == "busy threads");
      busy.emplace_back(ms, e.at("args").at("threads"));
    }
  }
  CHECK(batches == steps{{0, 1}, {4, 2}, {9, 1}, {12, 0}});
  CHECK(busy == steps{{1, 1}, {4, 1}, {5, 2}, {9, 1}, {12, 0}});
}

TEST_CASE("numbers are the language's, whatever the program's are") {
  hand_made h({"caller"}, {"load"});
  for (int b = 1999; b < 2002; ++b) h.run(0, 0, static_cast<std::size_t>(b), 3 * b, 3 * b + 2);
  const auto traced = [&h] {
    std::ostringstream out;
    stretto::write_trace(out, h.record);
    return out.str();
  };
  const std::string picture = drawn(h, 1999, 2001) + drawn(h, 1999, 1999);  // ticks of 0.2 ms
  const std::string trace = traced();
  struct german : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new german));  // which owns it
  const std::string picture_then = drawn(h, 1999, 2001) + drawn(h, 1999, 1999);
  const std::string trace_then = traced();
  std::locale::global(before);
  CHECK(picture_then == picture);
  CHECK(trace_then == trace);
}
