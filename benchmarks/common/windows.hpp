// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>
#include "clock.hpp"

namespace benchmarks {

/// Time per progress on a machine that takes its cores away for milliseconds: the last task of
/// every `size()` progresses stamps the clock, and only quantiles over these windows count.
class windows {
 public:
  windows(std::size_t size, std::size_t count) : size_(size), left_(size) {
    stamps_.reserve(count + 1);
    stamps_.push_back(nanoseconds());
  }

  /// By the last task of each progress. Returns whether it is time to stop: there are as many
  /// windows as wanted, or, on a machine that hardly runs two threads at once, enough.
  bool progressed() {
    if (--left_ != 0) return false;
    left_ = size_;
    stamps_.push_back(nanoseconds());
    return stamps_.size() == stamps_.capacity() ||
           (stamps_.size() > enough && stamps_.back() - stamps_.front() > time_limit);
  }

  /// Nanoseconds per progress: sorted, one value per window except the first, which warms up.
  std::vector<double> per_progress() const {
    std::vector<double> result;
    for (std::size_t i = 2; i < stamps_.size(); ++i)
      result.push_back(static_cast<double>(stamps_[i] - stamps_[i - 1]) /
                       static_cast<double>(size_));
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  static constexpr std::size_t enough = 20;
  static constexpr std::int64_t time_limit = 200'000'000;  // nanoseconds

  std::size_t size_;
  std::size_t left_;
  std::vector<std::int64_t> stamps_;
};

inline double quantile(const std::vector<double>& sorted, double q) {
  return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))];
}

}  // namespace benchmarks
