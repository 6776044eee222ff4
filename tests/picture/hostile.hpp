// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/dynamic/values/schedule.hpp>
#include <string>
#include <vector>

/// Names that mean something else to GraphViz, to Mermaid, to browsers or to nobody, and what a
/// picture shows for them.
struct hostile_name {
  std::string name;
  std::string shown;
};
inline std::vector<hostile_name> hostile_names() {
  using namespace std::string_literals;
  return {{"node", "node"},
          {"end", "end"},
          {"strict", "strict"},
          {"subgraph", "subgraph"},
          {"-12", "-12"},
          {"\"", "\""},
          {"a\"; b [label=x]; \"", "a\"; b [label=x]; \""},
          {"back\\slash\\n\\N\\", "back\\slash\\n\\N\\"},
          {"line\nbreak", "line\xE2\x90\x8A"s + "break"},
          {"<b>bold</b>", "<b>bold</b>"},
          {"<script>alert(1)</script>", "<script>alert(1)</script>"},
          {"&amp; &lt;", "&amp; &lt;"},
          {"#quot; #35;", "#quot; #35;"},
          {"a|b{c}(d)[e]--> x %% y", "a|b{c}(d)[e]--> x %% y"},
          {"`markdown` **x**", "`markdown` **x**"},
          {"\xC3\xA4\xE2\x86\x92\xF0\x9F\x8E\xB5", "\xC3\xA4\xE2\x86\x92\xF0\x9F\x8E\xB5"},
          {"\xFF\xC3(", "\xEF\xBF\xBD\xEF\xBF\xBD("},
          {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
          {"zero\0byte"s, "zero\xE2\x90\x80"s + "byte"},
          {"class a:::b", "class a:::b"}};
}

/// Each name as that of a task, its slot, its stream and its thread.
inline stretto::dynamic::schedule hostile_schedule() {
  stretto::dynamic::schedule s;
  s.name = "\"<hostile>\\";
  s.source.slot = "raw";
  int number = 0;
  for (const hostile_name& h : hostile_names()) {
    s.streams.push_back(h.name);
    stretto::dynamic::task t;
    t.name = h.name;
    t.stream = h.name;
    t.thread = h.name + " ";
    t.reads = {s.tasks.empty() ? std::string("raw") : s.tasks.back().writes[0].slot};
    t.writes = {h.name};
    t.lookahead = 2 - number++ / 7;
    s.tasks.push_back(t);
  }
  s.results = {s.tasks.back().name};
  return s;
}
