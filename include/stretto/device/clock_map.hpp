// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>

namespace stretto::device::detail {

using milliseconds = std::chrono::duration<double, std::milli>;
using host_clock = std::chrono::steady_clock;

/// What a device's clock said at some moment between two readings of the host's.
struct clock_reading {
  host_clock::time_point before{};
  host_clock::time_point after{};
  milliseconds device{};  ///< since the first of a run's readings
};

/// Device times as times of the host, by a reading at the begin of a run and one at its end. As
/// long as a clock that goes as fast as the host's fits both, that is what the device's is taken
/// for: a short run tells nothing of how fast it really goes. Otherwise the difference is spread
/// over the run.
class clock_map {
 public:
  clock_map(const clock_reading& first, const clock_reading& last) : origin_(first.before) {
    // By how much the host's clock is ahead of the device's: at the begin, and at the end.
    const between begin{milliseconds(0), first.after - origin_};
    const between end{last.before - origin_ - last.device, last.after - origin_ - last.device};
    const between both{(std::max)(begin.least, end.least), (std::min)(begin.most, end.most)};
    if (both.least <= both.most) {
      ahead_ = both.middle();
      error_ = (std::max)((std::max)(begin.most, end.most) - ahead_,
                          ahead_ - (std::min)(begin.least, end.least));
    } else {
      ahead_ = begin.middle();
      if (last.device.count() > 0) gain_ = (end.middle() - begin.middle()) / last.device;
      error_ = (std::max)(begin.most - begin.least, end.most - end.least) / 2;
    }
  }

  host_clock::time_point host_time(milliseconds device) const {
    return origin_ +
           std::chrono::duration_cast<host_clock::duration>(device + ahead_ + gain_ * device);
  }
  /// By how much that may be off at most, if the device's clock goes evenly.
  milliseconds error() const { return error_; }

 private:
  struct between {
    milliseconds least;
    milliseconds most;

    milliseconds middle() const { return (least + most) / 2; }
  };

  host_clock::time_point origin_;
  milliseconds ahead_{};
  milliseconds error_{};
  double gain_ = 0;  ///< of the host's clock
};

}  // namespace stretto::device::detail
