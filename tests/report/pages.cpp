// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pages for pages.py: each behind a line with its name. Of runs in virtual time, so that figures
// are known; of types and of values, with names of any bytes, without a run.

#include <chrono>
#include <cstddef>
#include <iostream>
#include <limits>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <stretto/from_types.hpp>
#include <stretto/report.hpp>
#include <stretto/stretto.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <vector>
#include "learning.hpp"

namespace st = stretto;

namespace {

using namespace reported;

st::dynamic::schedule with_names(const std::string& name) {
  st::dynamic::schedule s;
  s.name = name;
  s.source.slot = name;
  s.results = {name + "2"};
  s.tasks.push_back({.name = name + "3",
                     .thread = name,
                     .reads = {name},
                     .writes = {name + "2"},
                     .body = [](int a, int& b) { b = a; }});
  return s;
}

/// As if `decode` had been found hidden, and `train` exposed.
st::padding_result hand_padded() {
  st::padding_result r;
  r.period = std::chrono::microseconds(6);
  r.longest = std::chrono::microseconds(1);
  r.stretches = 40;
  r.batches = 16;
  r.tasks = {{.task = "decode",
              .stretches = 20,
              .time = std::chrono::microseconds(3),
              .slope = -0.02,
              .low = -0.2,
              .high = 0.08},
             {.task = "train",
              .stretches = 20,
              .time = std::chrono::microseconds(5),
              .slope = 0.9,
              .low = 0.8,
              .high = 1.3}};
  return r;
}

}  // namespace

int main() {
  const st::timeline slow = st::simulate<learning>({}, 100).record();
  std::cout << "=== types\n";
  st::write_report<learning>(std::cout, st::simulate<learning>({}, 100).record());
  std::cout << "=== barrier\n";
  st::write_report<learning>(std::cout, st::simulate<learning>({}, 100, st::barrier{}).record(),
                             st::barrier{});
  const st::dynamic::planned_schedule planned(st::dynamic::from_types<learning>());
  std::cout << "=== values\n";
  st::write_report(std::cout, planned, st::simulate(planned, {}, 100).record());
  std::cout << "=== advice\n";
  st::write_report(std::cout, planned, st::simulate(planned, {}, 100).record(), {},
                   "less <work>\n");
  std::cout << "=== padded\n";
  const st::padding_result padded = hand_padded();
  st::write_report<learning>(std::cout, slow, {}, {}, &padded);
  std::cout << "=== padded\n";
  st::padding_result little = padded;
  little.tasks[0].low = -std::numeric_limits<double>::infinity();
  little.tasks[0].high = std::numeric_limits<double>::infinity();
  little.tasks[1].is_padded = false;
  st::write_report(std::cout, planned, slow, {}, {}, &little);
  std::cout << "=== padded\n";
  little.stretches = 0;
  st::write_report(std::cout, planned, slow, {}, {}, &little);
  std::cout << "=== overwritten\n";
  st::write_report(std::cout, planned,
                   st::simulate(planned, {}, st::timeline::capacity + 10).record());
  std::cout << "=== short\n";
  st::write_report(std::cout, planned, st::simulate(planned, {}, 1).record());
  // All tasks without a run, and one.
  const st::timeline all = st::simulate(planned, {}, 100).record();
  st::timeline partial;
  partial.attached(std::vector<std::string_view>(all.threads().begin(), all.threads().end()),
                   std::vector<std::string_view>(all.tasks().begin(), all.tasks().end()));
  std::cout << "=== partial\n";
  st::write_report(std::cout, planned, partial);
  for (std::size_t t = 0; t < all.threads().size(); ++t)
    for (const st::timeline::span& s : all.spans(t))
      if (s.task != 1) partial.add(t, s);
  std::cout << "=== partial\n";
  st::write_report(std::cout, planned, partial);
  std::cout << "=== slow\n";  // each progress takes twice what its tasks do
  st::timeline late;
  late.attached(std::vector<std::string_view>(slow.threads().begin(), slow.threads().end()),
                std::vector<std::string_view>(slow.tasks().begin(), slow.tasks().end()));
  for (std::size_t t = 0; t < slow.threads().size(); ++t)
    for (st::timeline::span s : slow.spans(t)) {
      const auto length = s.end - s.begin;
      s.begin += s.begin.time_since_epoch();
      s.end = s.begin + length;
      late.add(t, s);
    }
  st::write_report<learning>(std::cout, late, {}, "less <work>\n");
  // The one that was late took twice as long; a third has another task, and no time to tell.
  std::cout << "=== compared\n";
  st::write_comparison(std::cout, "first", slow, "late", late);
  std::cout << "=== compared\n";
  st::write_comparison(std::cout, "first", slow, "late", late, &padded, &little);
  std::cout << "=== compared\n";
  st::write_comparison(std::cout, "first", slow, "late", late, nullptr, &padded);
  std::cout << "=== compared\n";
  st::dynamic::schedule other = with_names("x");
  const st::dynamic::planned_schedule of_others(other);
  st::write_comparison(std::cout, "<&\">", slow, "]]>", st::simulate(of_others, {}, 1).record());
  for (const std::string name : {"<&\">", "\x01 \xFF", "]]>", "</script><!--", "a\nb"}) {
    std::cout << "=== hostile\n";
    const st::dynamic::planned_schedule hostile(with_names(name));
    st::padding_result odd = padded;
    odd.tasks.resize(1);
    odd.tasks[0].task = name + "3";
    st::write_report(std::cout, hostile, st::simulate(hostile, {}, 20).record(), {}, {}, &odd);
  }
}
