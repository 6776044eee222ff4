// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstdint>

namespace stretto::testing::recording {

/// By what the records of events are timed: nanoseconds from some time on.
class device_clock {
  using host = std::chrono::steady_clock;

 public:
  /// One that goes \p rate times as fast as the host's.
  static device_clock that_goes(double rate) { return device_clock(rate); }
  /// One that stands until it is told that time has passed.
  static device_clock that_stands() { return device_clock(0); }

  device_clock() : device_clock(1) {}

  std::int64_t now() const {
    const std::chrono::duration<double, std::nano> host_time = host::now() - begun_;
    return passed_ + static_cast<std::int64_t>(rate_ * host_time.count());
  }
  void pass(std::chrono::nanoseconds time) { passed_ += time.count(); }

 private:
  explicit device_clock(double rate) : rate_(rate) {}

  double rate_;
  host::time_point begun_ = host::now();
  std::int64_t passed_ = 0;
};

}  // namespace stretto::testing::recording
