// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace stretto::collective {

/// What to do between two looks for something that has not come yet: a few times nothing, then let
/// others have the core, then sleep, longer each time up to half a millisecond.
class pause {
 public:
  void operator()() {
    constexpr unsigned awake = 64;
    constexpr unsigned polite = 1024;
    constexpr std::chrono::microseconds longest(500);
    if (times_ < polite) ++times_;
    if (times_ < awake) return;
    if (times_ < polite) return std::this_thread::yield();
    std::this_thread::sleep_for(length_);
    length_ = (std::min)(2 * length_, longest);
  }

 private:
  unsigned times_ = 0;
  std::chrono::microseconds length_{10};
};

/// A point in time that is not to be passed.
class deadline {
 public:
  using clock = std::chrono::steady_clock;

  explicit deadline(std::chrono::milliseconds length)
      : length_(length), end_(clock::now() + length) {}

  bool passed() const { return clock::now() >= end_; }
  std::chrono::milliseconds length() const { return length_; }

 private:
  std::chrono::milliseconds length_;
  clock::time_point end_;
};

}  // namespace stretto::collective
