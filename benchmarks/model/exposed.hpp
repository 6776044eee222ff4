// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stretto/bound.hpp>
#include <stretto/timeline.hpp>
#include <string>
#include <utility>
#include <vector>
#include "spinning.hpp"

// Pipelines of spinning tasks of which it is known how much of each task is exposed; what is told
// of a run of theirs.

namespace benchmarks::model {

struct known {
  dynamic::schedule schedule;
  std::vector<std::pair<std::string, double>> exposed;  ///< task, microseconds
};

/// A task that takes so many microseconds, on the calling thread unless \p thread is another.
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

/// By how many microseconds what is told of a run differs, at most over all tasks: the medians of
/// \p rounds runs.
inline double exposed_error(std::size_t rounds) {
  constexpr std::size_t batches = 400;
  double worst = 0;
  for (const known& k : all_known()) {
    const dynamic::planned_schedule planned(k.schedule);
    dynamic::pipeline<stretto::timeline> pipeline(spinning(k.schedule));
    std::vector<std::vector<double>> errors(k.exposed.size());
    for (std::size_t r = 0; r < rounds; ++r) {
      run(pipeline, batches);
      const auto costs = stretto::measured_costs(pipeline.observer());
      const stretto::plan_bound bound = stretto::bound_of(planned, costs);
      for (std::size_t i = 0; i < k.exposed.size(); ++i)
        errors[i].push_back(
            std::abs(bound.exposed(k.exposed[i].first).value() / 1'000 - k.exposed[i].second));
    }
    for (std::vector<double>& e : errors) {
      std::sort(e.begin(), e.end());
      worst = std::max(worst, e[e.size() / 2]);
    }
  }
  return worst;
}

}  // namespace benchmarks::model
