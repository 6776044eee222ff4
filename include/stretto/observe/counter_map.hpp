// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stretto::observe::detail {

/// What a counter and the clock said at about one moment.
struct counter_anchor {
  std::uint64_t count = 0;
  std::chrono::steady_clock::time_point time{};
};

/// Counts as times of the clock: exact at the anchors, and in between as if the counter went evenly
/// from one to the next. So what comes later has no earlier time, and a time is as far off as the
/// anchors around it, as far as the clock was not made to go slower or faster between them. What is
/// before the first anchor, or after the last, is taken to go as between the nearest two.
class counter_map {
 public:
  using clock = std::chrono::steady_clock;

  /// \p anchors: in any order.
  explicit counter_map(std::vector<counter_anchor> anchors) {
    std::sort(anchors.begin(), anchors.end(),
              [](const counter_anchor& a, const counter_anchor& b) { return a.count < b.count; });
    for (const counter_anchor& a : anchors)
      if (anchors_.empty() || a.time - anchors_.back().time >= least_apart) add(a);
    // What is recorded ends near the last one.
    if (anchors_.empty() || anchors_.back().count == anchors.back().count) return;
    while (anchors_.size() > 1 && anchors.back().time - anchors_.back().time < least_apart)
      anchors_.pop_back();
    add(anchors.back());
  }

  clock::time_point time_of(std::uint64_t count) const {
    if (anchors_.empty()) return {};
    if (anchors_.size() == 1) return anchors_.front().time;
    const auto after = std::upper_bound(
        anchors_.begin() + 1, anchors_.end() - 1, count,
        [](std::uint64_t wanted, const counter_anchor& a) { return wanted < a.count; });
    const counter_anchor& from = *(after - 1);
    const counter_anchor& to = *after;
    const double rate = static_cast<double>((to.time - from.time).count()) /
                        static_cast<double>(to.count - from.count);
    if (count < from.count) return from.time - lasted(rate, from.count - count);
    const clock::time_point found = from.time + lasted(rate, count - from.count);
    return count <= to.count ? (std::min)(found, to.time) : found;
  }

 private:
  /// Anchors that are closer to each other than that would tell more of how far each is off than of
  /// how fast the counter goes.
  static constexpr std::chrono::milliseconds least_apart{1};

  static clock::duration lasted(double rate, std::uint64_t counts) {
    return clock::duration(static_cast<clock::rep>(rate * static_cast<double>(counts)));
  }
  void add(counter_anchor a) {
    if (!anchors_.empty()) {
      if (a.count == anchors_.back().count) return;
      a.time = (std::max)(a.time, anchors_.back().time);
    }
    anchors_.push_back(a);
  }

  std::vector<counter_anchor> anchors_;
};

}  // namespace stretto::observe::detail
