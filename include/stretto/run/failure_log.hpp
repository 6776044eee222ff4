// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/run/locked.hpp>
#include <stretto/run/wait/signal.hpp>

namespace stretto::runner {

/// Of each task no more failures than this are listed.
inline constexpr std::size_t most_failures_listed = 16;

/// What one task threw in a run for batches that were dropped because of it. The first ones are
/// kept, all are counted. Any thread may note and look: who throws has time.
class alignas(cache_line) failure_log {
 public:
  /// Before a run.
  void forget() {
    std::array<std::exception_ptr, most_failures_listed> gone;  // what users wrote ends unlocked
    const locked alone(taken_);
    count_ = 0;
    exceeded_ = false;
    gone.swap(errors_);
  }
  /// One more, unless there have been \p most. Whether there had not.
  bool note(std::size_t batch, const std::exception_ptr& error, std::size_t most) {
    const locked alone(taken_);
    exceeded_ = count_ >= most;
    if (exceeded_) return false;
    if (count_ < most_failures_listed) {
      batches_[count_] = batch;
      errors_[count_] = error;
    }
    ++count_;
    return true;
  }
  /// Whether there was one more than that.
  bool exceeded() const {
    const locked alone(taken_);
    return exceeded_;
  }
  std::size_t count() const {
    const locked alone(taken_);
    return count_;
  }
  /// Calls \p use, which throws nothing, with each that is listed: its batch, and what was thrown.
  /// Returns how many there are in all.
  template <class Use>
  std::size_t each_listed(const Use& use) const {
    const locked alone(taken_);
    for (std::size_t i = 0; i < planner::smaller(count_, most_failures_listed); ++i)
      use(batches_[i], errors_[i]);
    return count_;
  }

 private:
  mutable std::atomic_flag taken_{};
  std::size_t count_ = 0;
  bool exceeded_ = false;
  std::array<std::size_t, most_failures_listed> batches_{};
  std::array<std::exception_ptr, most_failures_listed> errors_{};
};

}  // namespace stretto::runner
