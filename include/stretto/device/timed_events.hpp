// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <vector>

namespace stretto::device::detail {

/// Events that can be timed, ended together.
template <class Driver>
class timed_events {
 public:
  explicit timed_events(const Driver& driver) : driver_(driver) {}
  timed_events(const timed_events&) = delete;
  timed_events& operator=(const timed_events&) = delete;
  ~timed_events() {
    for (const typename Driver::event e : all_) static_cast<void>(driver_.destroy_event(e));
  }

  const Driver& driver() const { return driver_; }
  /// Makes one on the device that is current. Throws `device::error`.
  typename Driver::event make() {
    typename Driver::event made{};
    all_.reserve(all_.size() + 1);
    shared::checked<Driver>(call::create_timed_event, driver_.create_timed_event(made));
    all_.push_back(made);
    return made;
  }

 private:
  [[no_unique_address]] Driver driver_;
  std::vector<typename Driver::event> all_;
};

}  // namespace stretto::device::detail
