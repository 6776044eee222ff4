// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/timeline.hpp>
#include <vector>

namespace ranking {

/// The value that a tenth of the samples lie below. On a shared machine, the low end is what the
/// program costs and the rest is what the neighbours cost.
inline double p10(std::vector<double> samples) {
  if (samples.empty()) return 0.0;
  const auto at = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 10);
  std::nth_element(samples.begin(), at, samples.end());
  return *at;
}

/// What a plan costs, p10 over windows of a run's steady part.
struct plan_cost {
  double batch_ms = 0.0;
  double wall_over_busiest = 0.0;
  std::vector<double> busy_ms;  // by thread, per batch
  double overlap = 0.0;         // share of the busy time that overlapped other busy time
};

/// Windows of several runs, gathered.
class cost_meter {
 public:
  /// Windows of 16 batches, shorter if the run is: at least eight of them.
  explicit cost_meter(std::size_t batches)
      : window_batches_(std::clamp<std::size_t>(batches / 8, 1, 16)) {}

  std::size_t window_batches() const { return window_batches_; }

  void add(const stretto::timeline& record) {
    const auto windows = record.windows(window_batches_);
    // The first window has the prefill, the last may have the drain.
    for (std::size_t i = 1; i + 1 < windows.size(); ++i) windows_.push_back(windows[i]);
  }

  plan_cost cost() const {
    plan_cost c;
    if (windows_.empty()) return c;
    const auto over = [&](auto value) {
      std::vector<double> samples;
      for (const auto& w : windows_) samples.push_back(value(w));
      return p10(samples);
    };
    const auto per_batch = [&](stretto::timeline::seconds s) {
      return s.count() * 1e3 / static_cast<double>(window_batches_);
    };
    c.batch_ms = over([&](const auto& w) { return per_batch(w.wall); });
    c.wall_over_busiest = over([](const auto& w) { return w.wall / w.busiest(); });
    for (std::size_t t = 0; t < windows_.front().busy.size(); ++t)
      c.busy_ms.push_back(over([&](const auto& w) { return per_batch(w.busy[t]); }));
    double total = 0.0;
    for (const double b : c.busy_ms) total += b;
    c.overlap = std::max(0.0, 1.0 - c.batch_ms / total);
    return c;
  }

 private:
  std::size_t window_batches_;
  std::vector<stretto::timeline::window> windows_;
};

}  // namespace ranking
