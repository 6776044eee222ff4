// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <list>
#include <optional>
#include <random>
#include <set>
#include <stretto/bound.hpp>
#include <stretto/dynamic/query/outline.hpp>
#include <stretto/search.hpp>
#include <string>
#include <vector>
#include "../../tests/advice/random_schedules.hpp"
#include "../../tests/support/random_schedule.hpp"
#include "spinning.hpp"

// Random schedules of tasks that spin, on two threads, and those that a search finds for them; and
// their runs in virtual time.

namespace benchmarks::model {

/// Host tasks on the calling thread and on another, of up to 100 µs each.
inline dynamic::schedule on_two_threads(const stretto::planner::declaration& d,
                                        std::mt19937& random) {
  const auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  dynamic::schedule s = dynamic::detail::outliner(d).outline();
  s.streams.clear();
  s.groups.clear();
  s.source.thread = "caller";
  s.source.weight = 0;
  std::set<std::string> slots{s.source.slot};
  for (dynamic::task& t : s.tasks) {
    t.stream.clear();
    t.collective = false;
    t.observes.clear();
    t.mutates.clear();
    t.thread = pick(0, 1) == 0 ? "caller" : "other";
    t.weight = 100 * pick(0, 1'000);
    for (const dynamic::use& u : t.writes) slots.insert(u.slot);
  }
  for (const std::string& slot : slots) s.slot<int>(slot);
  return s;
}

/// What a search finds for a schedule on the threads that its tasks name.
inline dynamic::schedule found_for(const dynamic::schedule& s) {
  return stretto::search::find_schedule(s, {}, {.in_flight = 4}).schedule;
}

/// Nanoseconds of a progress of which a hand-over between two cores may be more than one per cent.
inline constexpr double short_period = 20'000;

/// How long a run of a schedule took over how long it takes in virtual time.
struct real_run {
  double ratio;
  double period;  ///< nanoseconds per progress, in virtual time
};

/// Of each of \p count schedules: the fastest of \p rounds, far apart, as what else the machine
/// does only adds. With \p found, of what a search finds for them.
inline std::vector<real_run> real_over_simulated(std::size_t count, std::size_t rounds,
                                                 bool found) {
  constexpr double length = 2e7;  // nanoseconds: to wake a thread takes a while at the beginning
  struct subject {
    subject(const dynamic::schedule& s, std::size_t count, double simulated, double progress)
        : pipeline(spinning(s)), batches(count), model(simulated), period(progress) {}
    dynamic::pipeline<stretto::spin, stretto::pinned> pipeline;
    std::size_t batches;
    double model;  // nanoseconds
    double period;
    double fastest = std::numeric_limits<double>::infinity();
  };
  std::list<subject> all;
  std::mt19937 random(13);
  while (all.size() < count)
    random_schedule::for_each_valid(
        1, static_cast<unsigned>(random()), [&](const stretto::planner::declaration& d, unsigned) {
          dynamic::schedule s = on_two_threads(d, random);
          std::optional<dynamic::planned_schedule> planned = random_schedules::planned(s);
          if (!planned) return;
          if (found) planned.emplace(s = found_for(s));
          const double period = stretto::bound_of(*planned).period().value();
          if (period < 5'000) return;  // hardly a task takes any time
          const auto batches = static_cast<std::size_t>(length / period);
          all.emplace_back(s, batches,
                           static_cast<double>(stretto::simulate(*planned, {}, batches).total()),
                           period);
        });
  for (std::size_t r = 0; r <= rounds; ++r)
    for (subject& s : all)
      if (const double took = run(s.pipeline, s.batches); r > 0)  // in the first threads start
        s.fastest = std::min(s.fastest, took);
  std::vector<real_run> runs;
  for (const subject& s : all) runs.push_back({s.fastest / s.model, s.period});
  return runs;
}

}  // namespace benchmarks::model
