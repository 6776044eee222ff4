// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stretto/bound.hpp>
#include <stretto/timeline.hpp>
#include <vector>
#include "../../tests/bound/known_exposure.hpp"
#include "spinning.hpp"

// What is told of runs of spinning tasks of which it is known how much is exposed.

namespace benchmarks::model {

/// By how many microseconds what is told of a run differs, at most over all tasks: the medians of
/// \p rounds runs.
inline double exposed_error(std::size_t rounds) {
  constexpr std::size_t batches = 400;
  double worst = 0;
  for (const known_exposure::known& k : known_exposure::all_known()) {
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
