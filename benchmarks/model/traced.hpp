// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stretto/timeline.hpp>
#include <vector>
#include "../common/clock.hpp"
#include "../fourteen/pipeline.hpp"
#include "../fourteen/work.hpp"

// What it costs to record a task.

namespace benchmarks::model {

/// Nanoseconds per progress of the 14 empty tasks on one thread.
template <class Pipeline>
double per_progress(Pipeline& pipeline) {
  constexpr std::size_t batches = 20'000;
  std::size_t pulled = 0;
  const auto pull = [&](value& slot) {
    slot = pulled;
    return pulled++ != batches;
  };
  const std::int64_t begun = nanoseconds();
  for (auto&& result : pipeline.run(pull)) (void)result;
  return static_cast<double>(nanoseconds() - begun) / static_cast<double>(batches);
}

/// Nanoseconds that a task takes longer in a pipeline with a timeline: the median of \p rounds, in
/// each of which both run.
inline double trace_ns_per_task(std::size_t rounds) {
  using schedule = fourteen<work::nothing>::sequential;
  st::pipeline<schedule> plain;
  st::pipeline<schedule, st::timeline> traced;
  std::vector<double> found;
  for (std::size_t r = 0; r < rounds; ++r)
    found.push_back((per_progress(traced) - per_progress(plain)) / 14);
  std::sort(found.begin(), found.end());
  return found[found.size() / 2];
}

}  // namespace benchmarks::model
