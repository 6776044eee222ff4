// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <stretto/advice.hpp>
#include <stretto/bound.hpp>
#include "../../tests/advice/random_schedules.hpp"
#include "../../tests/bound/timed_plans.hpp"

// What is told of random plans, held against their runs in virtual time.

namespace benchmarks::model {

namespace st = stretto;

struct worst {
  std::size_t plans = 0;
  double value = 0;

  void take(double found) {
    ++plans;
    value = std::max(value, found);
  }
};

/// The bound over the time per progress of 1,000 simulated ones, or that over the bound.
inline worst bound_over_simulator(std::size_t count) {
  worst all;
  for (const bool grouped : {false, true})
    for (const bool meet : {false, true})
      timed_plan::for_each(count / 4, grouped, 11, [&](const timed_plan& p) {
        const double bound = p.bound(meet).period().value();
        const double run = p.simulated(1'000, meet).period().value();
        if (bound > 0) all.take(std::max(bound / run, run / bound));
      });
  return all;
}

/// What the first edit is said to save, and what a simulated run of it saves: by how much of that
/// the two differ.
inline worst advice_error(std::size_t count) {
  const auto period = [](const st::dynamic::planned_schedule& p) {
    return st::simulate(p, {}, 1'000).period().value();
  };
  worst all;
  std::mt19937 random(12);
  while (all.plans < count)
    timed_plan::for_each(1, false, static_cast<unsigned>(random()), [&](const timed_plan& p) {
      const std::optional<st::dynamic::planned_schedule> now = random_schedules::planned(
          random_schedules::with_types(random_schedules::outline(p.declared, false, random)));
      if (!now) return;
      const st::advice found = st::advise(*now);
      if (found.edits().empty()) return;
      const st::priced_edit& first = found.edits().front();
      const double before = period(*now);
      const double saved = before - period(st::dynamic::planned_schedule(first.edited));
      const double promised = found.now().period.value() - first.after.period.value();
      all.take(std::abs(promised - saved) / saved);
    });
  return all;
}

}  // namespace benchmarks::model
