// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace twins {

/// Milliseconds of a run by Stretto and by its twin, each the median of its rounds.
struct times {
  double stretto = 0;
  double twin = 0;
  double ratio() const { return stretto / twin; }
};

/// Runs both in turns, so that both meet the same neighbours on a shared machine.
template <class Stretto, class Twin>
times alternate(std::size_t rounds, Stretto run_stretto, Twin run_twin) {
  const auto milliseconds = [](auto& run) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
  };
  const auto median = [](std::vector<double>& samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
  };
  std::vector<double> one;
  std::vector<double> other;
  for (std::size_t round = 0; round < std::max<std::size_t>(rounds, 1); ++round) {
    if (round % 2 == 1) other.push_back(milliseconds(run_twin));
    one.push_back(milliseconds(run_stretto));
    if (round % 2 == 0) other.push_back(milliseconds(run_twin));
  }
  return {median(one), median(other)};
}

}  // namespace twins
