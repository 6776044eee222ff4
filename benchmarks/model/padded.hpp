// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <stretto/bound.hpp>
#include <stretto/watch.hpp>
#include <vector>
#include "../../tests/bound/known_exposure.hpp"
#include "spinning.hpp"

// What padding finds of spinning tasks of which it is known what hides them.

namespace benchmarks::model {

/// By how much the slope of a task, as padding measures it, differs from what it is by
/// construction: the most over all tasks of pipelines with two threads, of the medians of \p rounds
/// runs in which each task has \p repeats turns.
inline double slope_error(std::size_t rounds, std::size_t repeats) {
  double worst = 0;
  for (const known_exposure::known& k : known_exposure::all_known()) {
    const dynamic::planned_schedule planned(k.schedule);
    if (planned.plan().threads.names.size() > 2) continue;  // more than there are cores
    const stretto::plan_bound bound = stretto::bound_of(planned);
    dynamic::pipeline<stretto::padding, stretto::spin> pipeline(spinning(k.schedule));
    std::vector<std::vector<double>> errors(k.schedule.tasks.size());
    for (std::size_t r = 0; r < rounds; ++r) {
      pipeline.observer().pad({.longest = std::chrono::microseconds(15)});
      run(pipeline, repeats * 2 * 16 * k.schedule.tasks.size());
      const stretto::padding_result found = pipeline.observer().result();
      for (std::size_t t = 0; t < errors.size(); ++t)
        errors[t].push_back(
            std::abs(found.tasks[t].slope - known_exposure::slope_of(bound, found.tasks[t].task)));
    }
    for (std::vector<double>& e : errors) {
      std::sort(e.begin(), e.end());
      worst = std::max(worst, e[e.size() / 2]);
    }
  }
  return worst;
}

}  // namespace benchmarks::model
