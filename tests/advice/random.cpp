// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is promised of random schedules, held against runs in virtual time of what was edited.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <stretto/advice.hpp>
#include <stretto/bound.hpp>
#include <stretto/dynamic.hpp>
#include "../bound/timed_plans.hpp"
#include "random_schedules.hpp"

namespace {

namespace st = stretto;
namespace dynamic = stretto::dynamic;

template <class Pace>
double simulated(const dynamic::planned_schedule& p, Pace pace) {
  return st::simulate(p, {}, 1000, pace).period().value();
}

/// Of how many schedules there was something to advise.
template <class Pace>
std::size_t held_against_runs(std::size_t count, bool on_host, unsigned seed, Pace pace) {
  std::size_t advised = 0;
  std::mt19937 random(seed);
  timed_plan::for_each(count, false, seed, [&](const timed_plan& p) {
    const std::optional<dynamic::planned_schedule> now = random_schedules::planned(
        random_schedules::with_types(random_schedules::outline(p.declared, on_host, random)));
    if (!now) return;
    const st::advice found = st::advise(*now, {}, {}, pace);
    CHECK(found.now().period == st::bound_of(*now, {}, pace).period());
    const double before = simulated(*now, pace);
    double best = 0;
    std::size_t fewest = 0;
    for (const st::priced_edit& e : found.edits()) {
      CAPTURE(e.what());
      const dynamic::planned_schedule after(e.edited);
      const double promised = e.after.period.value();
      const double run = simulated(after, pace);
      CHECK(promised == st::bound_of(after, {}, pace).period().value());
      CHECK(std::abs(run - promised) <= 0.1 * promised);
      CHECK(run < before);
      CHECK(promised <= 0.98 * found.now().period.value() + 1e-9);
      CHECK(promised >= best);
      CHECK((promised > best || e.after.bytes >= fewest));
      best = promised;
      fewest = e.after.bytes;
      CHECK(std::abs(e.gain() - (1 - promised / found.now().period.value())) < 1e-9);
      CHECK(e.after.latency == st::bound_of(after, {}, pace).latency());
    }
    CHECK(found.edits().empty() == !found.why_none().empty());
    advised += found.edits().empty() ? 0 : 1;
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
