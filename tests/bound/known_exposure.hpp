// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/bound/plan_bound.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Pipelines of which it is known how much of each task is exposed. A weight is in nanoseconds.
namespace known_exposure {

namespace dynamic = stretto::dynamic;

struct known {
  dynamic::schedule schedule;
  std::vector<std::pair<std::string, double>> exposed;  ///< task, microseconds
};

/// A task that takes \p microseconds, on the calling thread unless \p thread is another.
inline dynamic::task task(std::string name, int microseconds, std::vector<dynamic::use> reads,
                          std::vector<dynamic::use> writes, int lookahead = 0,
                          std::string thread = "caller") {
  dynamic::task t;
  t.name = std::move(name);
  t.weight = 1'000 * microseconds;
  t.thread = std::move(thread);
  t.lookahead = lookahead;
  t.reads = std::move(reads);
  t.writes = std::move(writes);
  return t;
}

inline dynamic::schedule of(std::vector<dynamic::task> tasks, std::vector<std::string> results) {
  dynamic::schedule s;
  s.source.slot = "in";
  s.results = std::move(results);
  for (const dynamic::task& t : tasks)
    for (const dynamic::use& u : t.writes) s.slot<int>(u.slot);
  s.slot<int>("in");
  s.tasks = std::move(tasks);
  return s;
}

/// Each shows one cause.
inline std::vector<known> all_known() {
  std::vector<known> all;
  all.push_back({of({task("load", 30, {"in"}, {"x"}), task("use", 50, {"x"}, {"out"})}, {"out"}),
                 {{"load", 30}, {"use", 50}}});  // one after the other
  all.push_back(
      {of({task("load", 30, {"in"}, {"x"}, 1, "other"), task("use", 80, {"x"}, {"out"})}, {"out"}),
       {{"load", 0}, {"use", 50}}});  // `load` is hidden
  all.push_back({of({task("load", 50, {"in"}, {"x"}, 1, "other"), task("use", 30, {"x"}, {"y"}),
                     task("log", 40, {"y"}, {"out"})},
                    {"out"}),
                 {{"load", 0}, {"use", 20}, {"log", 20}}});  // half of `log` is hidden
  all.push_back(
      {of({task("load", 60, {"in"}, {"x"}, 1, "other"), task("use", 60, {"x"}, {"out"})}, {"out"}),
       {{"load", 0}, {"use", 0}}});  // they hide each other
  dynamic::task waits = task("load", 30, {"in"}, {"x"}, 0, "other");
  waits.cross_iter_depends_on = {"use"};
  all.push_back({of({waits, task("use", 50, {"x"}, {"out"})}, {"out"}),
                 {{"load", 30}, {"use", 50}}});  // `load` waits for `use` of the batch before
  known copy{
      of({task("load", 30, {"in"}, {"x"}, 0, "other"), task("use", 50, {"x"}, {"out"})}, {"out"}),
      {{"load", 30}, {"use", 50}}};  // `load` waits for the one copy of `x`
  copy.schedule.frugal = true;
  all.push_back(std::move(copy));
  dynamic::task first = task("first", 30, {"in", dynamic::use::previous("y")}, {"x"}, 0, "other");
  first.reads.push_back(dynamic::use::previous("z"));
  all.push_back(
      {of({first, task("left", 50, {"x"}, {"y"}, 0), task("right", 50, {"x"}, {"z"}, 0, "third")},
          {"y", "z"}),
       {{"first", 30}, {"left", 0}, {"right", 0}}});  // on both of two cycles
  return all;
}

/// How much longer a progress takes for each second that a task takes longer, by the model.
inline double slope_of(const stretto::plan_bound& bound, std::string_view task) {
  double slope = 0;
  for (const stretto::curve_piece& piece : bound.curve(task))
    if (piece.from.value() <= static_cast<double>(bound.time_of(task))) slope = piece.slope.value();
  return slope;
}

}  // namespace known_exposure
