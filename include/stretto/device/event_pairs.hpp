// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stretto/device/clock_map.hpp>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <utility>
#include <vector>

namespace stretto::device::detail {

/// An event that can be timed, and what the device's clock said when it was last known to be
/// complete.
template <class Driver>
struct known_event {
  typename Driver::event event{};
  milliseconds time{};

  /// What it said at another one, which is complete. Throws `device::error`.
  milliseconds time_of(const Driver& driver, typename Driver::event other) const {
    float since = 0;
    shared::checked<Driver>(call::elapsed_time, driver.elapsed_time(since, event, other));
    return time + milliseconds(since);
  }
};

/// When the device began and ended a task's work on a batch, by its clock.
struct device_span {
  std::size_t batch = 0;
  milliseconds begin{};
  milliseconds end{};
  std::uint32_t stretch = 0;  ///< as of what the host records
};

/// A task's events in pairs, recorded around its work on each batch, a fixed number of them in
/// turn. A pair is read when its turn comes again, and at the end of the run; a batch whose pair
/// the device has not come by yet is counted, and not waited for. Keeps the latest \c capacity
/// spans of a run. Used by the thread that submits the task, and between runs.
template <class Driver>
class event_pairs {
 public:
  /// \p make makes an event of the device that \p stream is on.
  template <class Make>
  event_pairs(const Driver& driver, typename Driver::stream stream, std::size_t pairs,
              std::size_t capacity, Make make)
      : driver_(driver), stream_(stream), pairs_(pairs), spans_(capacity), own_(make()) {
    for (pair& p : pairs_) {
      p.begin = make();
      p.end = make();
    }
  }

  /// Before a run: times are those since \p base.
  void restart(typename Driver::event base) {
    reference_ = {base, {}};
    for (pair& p : pairs_) p.used = false;
    next_ = 0;
    open_ = false;
    read_ = 0;
  }

  /// Right before the task's work on a batch. Throws `device::error`, as what follows does.
  void begin(std::size_t batch, std::uint32_t stretch = 0) {
    pair& p = pairs_[next_];
    open_ = !p.used || try_read(p);
    if (!open_) {
      ++dropped_;
      return;
    }
    p.batch = batch;
    p.stretch = stretch;
    shared::checked<Driver>(call::record, driver_.record(p.begin, stream_));
  }
  /// Right behind it; not called if the task fails, or is not recorded to its end.
  void end() {
    if (!open_) return;
    pair& p = pairs_[next_];
    shared::checked<Driver>(call::record, driver_.record(p.end, stream_));
    p.used = true;
    next_ = (next_ + 1) % pairs_.size();
    open_ = false;
  }
  /// When the stream has come by all of them. What cannot be read is counted.
  void read_all() noexcept {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      pair& p = pairs_[(next_ + i) % pairs_.size()];
      if (!p.used) continue;
      bool read = false;
      try {
        read = try_read(p);
      } catch (...) {
        // The run has failed, and says why.
      }
      if (!read) ++dropped_;
      p.used = false;
    }
  }

  /// Calls \p use with the spans of the run, oldest first.
  template <class Use>
  void each(Use use) const {
    const std::size_t kept = (std::min)(read_, spans_.size());
    for (std::size_t i = read_ - kept; i < read_; ++i) use(spans_[i % spans_.size()]);
  }
  /// How many batches have no span.
  std::size_t dropped() const { return dropped_; }
  void forget_dropped() { dropped_ = 0; }
  /// The event from which the latest times were read.
  const known_event<Driver>& reference() const { return reference_; }

 private:
  /// From one event to another is told in a `float`: beyond this its last digit would be coarser
  /// than what events can tell apart, about 0.5 us.
  static constexpr milliseconds farthest{4096};

  struct pair {
    typename Driver::event begin{};
    typename Driver::event end{};
    std::size_t batch = 0;
    std::uint32_t stretch = 0;
    bool used = false;  ///< recorded, and not read yet
  };

  bool try_read(pair& p) {
    const typename Driver::status done = driver_.query(p.end);
    if (done == Driver::not_ready) return false;
    shared::checked<Driver>(call::query, done);
    const milliseconds begin = reference_.time_of(driver_, p.begin);
    const milliseconds end = known_event<Driver>{p.begin, begin}.time_of(driver_, p.end);
    spans_[read_++ % spans_.size()] = {p.batch, begin, end, p.stretch};
    p.used = false;
    if (begin - reference_.time > farthest) {
      std::swap(own_, p.begin);
      reference_ = {own_, begin};
    }
    return true;
  }

  [[no_unique_address]] Driver driver_;
  typename Driver::stream stream_;
  std::vector<pair> pairs_;
  std::vector<device_span> spans_;
  typename Driver::event own_;  ///< takes the place of one that becomes the reference
  known_event<Driver> reference_{};
  std::size_t next_ = 0;
  std::size_t read_ = 0;  ///< spans
  std::size_t dropped_ = 0;
  bool open_ = false;
};

}  // namespace stretto::device::detail
