// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>
#include <utility>

namespace stretto::collective {

/// How long to sleep between two looks at something that only looks move on, such as a nonblocking
/// operation of MPI: not at all for a while, since sleep holds it up; then for a sixteenth of the
/// time waited, up to half a millisecond, with some looks after each sleep. So what a late peer
/// sends is seen at most a sixteenth too late, and a wait without end takes a twentieth of a core.
class patience {
 public:
  using duration = std::chrono::nanoseconds;
  /// For so long nobody else gets the core: a yield where it is wanted can cost a time slice, many
  /// times what a piece of data takes.
  static constexpr duration least_eager = std::chrono::microseconds(200);
  static constexpr duration least_awake = std::chrono::milliseconds(1);
  static constexpr duration shortest = std::chrono::microseconds(10);
  static constexpr duration longest = std::chrono::microseconds(500);
  static constexpr duration between = std::chrono::microseconds(20);

  constexpr explicit patience(duration awake, duration eager = least_eager)
      : awake_until_(awake), eager_until_(eager) {}

  /// Awake as long as it takes to move that many bytes at a quarter of a gigabyte per second, eager
  /// as long as at a gigabyte per second.
  static constexpr patience moving(std::size_t bytes) {
    const duration moved(static_cast<duration::rep>(bytes));
    return patience(least_awake + 4 * moved, least_eager + moved);
  }

  constexpr bool eager(duration waited) const { return waited < eager_until_; }

  /// After a look in vain, \p waited after the wait began: how long to sleep, or 0.
  constexpr duration nap(duration waited) {
    if (slept_) {
      slept_ = false;
      awake_until_ = waited + between;
    }
    if (waited < awake_until_) return duration(0);
    slept_ = true;
    return std::clamp(waited / 16, shortest, longest);
  }

 private:
  duration awake_until_;
  duration eager_until_;
  bool slept_ = false;
};

/// What to do between two looks, by such patience: at first nothing, then let others have the core,
/// then sleep.
class patient_pause {
 public:
  explicit patient_pause(patience left) : given_(left), left_(left) {}

  void operator()() {
    const clock::time_point now = clock::now();
    if (!std::exchange(begun_, true)) began_ = now;
    const patience::duration waited = now - began_;
    if (left_.eager(waited)) return;
    const patience::duration nap = left_.nap(waited);
    if (nap == patience::duration(0)) return std::this_thread::yield();
    std::this_thread::sleep_for(nap);
  }
  /// Part of it has come: what follows is a wait of its own.
  void moved() {
    left_ = given_;
    begun_ = false;
  }

 private:
  using clock = std::chrono::steady_clock;

  patience given_;
  patience left_;
  clock::time_point began_{};
  bool begun_ = false;
};

}  // namespace stretto::collective
