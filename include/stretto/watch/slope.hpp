// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace stretto::watch::detail {

/// A comparison: how much longer a task was made, and how much longer a progress took.
struct padded {
  double by = 0;
  double longer = 0;
};

/// How much longer a progress takes for each second that a task takes longer, and between what that
/// lies, 95 of 100 times.
struct slope {
  double value = 0;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// The mean of the middle quarter, so that comparisons in which the machine did something else do
/// not count. \p values is sorted here; not empty.
inline double mean_of_the_middle(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t left_out = values.size() * 3 / 8;
  double sum = 0;
  for (std::size_t i = left_out; i < values.size() - left_out; ++i) sum += values[i];
  return sum / static_cast<double>(values.size() - 2 * left_out);
}

/// Of fewer comparisons an interval would say more than they do.
inline constexpr std::size_t fewest_comparisons = 8;

/// The interval is that of the percentile bootstrap (B. Efron, R. Tibshirani: An Introduction to
/// the Bootstrap, 1993), always by the one sequence of random numbers.
inline slope slope_of(const std::vector<padded>& all) {
  if (all.empty()) return {};
  std::vector<double> each;
  each.reserve(all.size());
  for (const padded& p : all) each.push_back(p.longer / p.by);
  const std::vector<double> found = each;
  slope s;
  s.value = mean_of_the_middle(each);
  if (all.size() < fewest_comparisons) return s;
  constexpr std::size_t resamples = 2'000;
  std::mt19937_64 random;
  std::vector<double> means;
  for (std::size_t r = 0; r < resamples; ++r) {
    for (double& e : each) e = found[random() % found.size()];
    means.push_back(mean_of_the_middle(each));
  }
  std::sort(means.begin(), means.end());
  s.low = means[resamples / 40];
  s.high = means[resamples - 1 - resamples / 40];
  return s;
}

}  // namespace stretto::watch::detail
