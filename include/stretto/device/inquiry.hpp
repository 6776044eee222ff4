// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <stretto/device/driver.hpp>

namespace stretto::device::detail {

/// Asks events how far a device is, for a scope, on a thread of whoever watches: nothing is waited
/// for, and nobody's run depends on the answers.
template <class Driver>
class inquiry {
 public:
  /// \p device: one on which there are streams, so that no context is made on another one.
  inquiry(const Driver& driver, int device) : driver_(driver) {
    // Otherwise a user's capture in the global mode would forbid the questions, and end for them.
    asks_ = driver_.set_device(device) == Driver::success &&
            driver_.exchange_capture_mode(mode_) == Driver::success;
  }
  inquiry(const inquiry&) = delete;
  inquiry& operator=(const inquiry&) = delete;
  ~inquiry() {
    if (asks_) static_cast<void>(driver_.exchange_capture_mode(mode_));
    static_cast<void>(driver_.last_error());  // of this thread, which nobody else asks for any
  }

  /// Whether the device has come to an event's latest record; none: it does not say.
  std::optional<bool> has_come_to(typename Driver::event e) const {
    if (!asks_) return {};
    const typename Driver::status s = driver_.query(e);
    if (s == Driver::success) return true;
    if (s == Driver::not_ready) return false;
    return {};
  }

 private:
  [[no_unique_address]] Driver driver_;
  capture_mode mode_ = capture_mode::this_thread;
  bool asks_ = false;
};

}  // namespace stretto::device::detail
