// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is promised of random schedules, held against runs in virtual time of what was edited.

#include <doctest/doctest.h>
#include <cstddef>
#include <optional>
#include <random>
#include <stretto/advice.hpp>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include <utility>
#include "../bound/timed_plans.hpp"
#include "../support/seed.hpp"
#include "kept_promises.hpp"
#include "random_schedules.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;
namespace planner = stretto::planner;

/// What is asked of plans as threads work through them.
template <class Pace>
struct on_threads {
  Pace pace;

  double run(const dynamic::planned_schedule& p) const {
    return st::simulate(p, {}, 1000, pace).period().value();
  }
  std::pair<planner::ratio, planner::ratio> bound(const dynamic::planned_schedule& p) const {
    const st::plan_bound made = st::bound_of(p, {}, pace);
    return {made.period(), made.latency()};
  }
};

/// Of how many schedules there was something to advise.
template <class Pace>
std::size_t held_against_runs(std::size_t count, bool on_host, unsigned seed, Pace pace) {
  std::size_t advised = 0;
  std::mt19937 random(seeds::first(seed));
  timed_plan::for_each(count, false, seed, [&](const timed_plan& p) {
    const std::optional<dynamic::planned_schedule> now = random_schedules::planned(
        random_schedules::with_types(random_schedules::outline(p.declared, on_host, random)));
    if (!now) return;
    advised += kept_promises::are_kept(*now, st::advise(*now, {}, {}, pace), on_threads<Pace>{pace})
                   ? 1
                   : 0;
  });
  return advised;
}

}  // namespace

TEST_CASE("what is promised of random schedules is what a run takes, and never more than before") {
  CHECK(held_against_runs(900, false, 7, st::run_ahead{}) > 200);
  CHECK(held_against_runs(200, true, 8, st::run_ahead{}) > 100);
}

TEST_CASE("so it is where threads meet after each progress") {
  CHECK(held_against_runs(200, false, 9, st::barrier{}) > 30);
}
