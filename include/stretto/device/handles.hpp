// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stretto/device/driver.hpp>
#include <stretto/device/error.hpp>
#include <stretto/device/streams.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/text_builder.hpp>
#include <string_view>

namespace stretto::device {

namespace shared {

/// Makes a device current for a scope.
template <class Driver>
class on_device {
 public:
  explicit on_device(const Driver& driver)
      : driver_(driver), before_(current(driver)), now_(before_) {}
  ~on_device() {
    if (now_ != before_) static_cast<void>(driver_.set_device(before_));
  }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;

  void use(int device) {
    if (device == now_) return;
    checked<Driver>(call::set_device, driver_.set_device(device));
    now_ = device;
  }
  int before() const { return before_; }

 private:
  static int current(const Driver& driver) {
    int device = 0;
    checked<Driver>(call::current_device, driver.current_device(device));
    return device;
  }

  [[no_unique_address]] Driver driver_;
  int before_;
  int now_;
};

}  // namespace shared

namespace detail {

/// Makes the device current again at the end of a scope that was current at its beginning.
template <class Driver>
class current_device_kept {
 public:
  explicit current_device_kept(const Driver& driver) : driver_(driver) {
    if (driver_.current_device(before_) != Driver::success) before_ = -1;
  }
  ~current_device_kept() {
    if (before_ >= 0) static_cast<void>(driver_.set_device(before_));
  }
  current_device_kept(const current_device_kept&) = delete;
  current_device_kept& operator=(const current_device_kept&) = delete;

 private:
  [[no_unique_address]] Driver driver_;
  int before_ = -1;
};

/// A stream of the schedule's, on the device.
template <class Driver>
struct stream_handle {
  typename Driver::stream stream{};
  int device = 0;
  bool owned = false;
};

/// The streams and events of a pipeline: made with it, and ended with it.
template <class Driver>
class handles {
 public:
  explicit handles(const Driver& driver) : driver_(driver) {}
  handles(const handles&) = delete;
  handles& operator=(const handles&) = delete;
  ~handles() {
    for (const typename Driver::event e : events) static_cast<void>(driver_.destroy_event(e));
    for (const stream_handle<Driver>& s : streams)
      if (s.owned) static_cast<void>(driver_.destroy_stream(s.stream));
  }

  /// One for each name, as \p wanted says of it first; \p number tells which stream a name means.
  template <class Number>
  void make_streams(planner::view<std::string_view> names, Number number,
                    const device::streams<Driver>& wanted) {
    refuse_unknown(names, number, wanted);
    int devices = 0;
    shared::checked<Driver>(call::device_count, driver_.device_count(devices));
    shared::on_device<Driver> current(driver_);
    for (const std::string_view name : names) {
      stream_options<Driver> what;
      for (std::size_t i = wanted.size(); i-- > 0;)
        if (number(wanted[i].name) == number(name)) what = wanted[i].what;
      stream_handle<Driver> made;
      made.device = what.device.value_or(current.before());
      if (made.device < 0 || made.device >= devices) refuse_device(name, made.device, devices);
      if (what.adopted) {
        made.stream = *what.adopted;
        current.use(current.before());  // which the default stream is of
        shared::checked<Driver>(call::device_of, driver_.device_of(made.stream, made.device));
      } else {
        current.use(made.device);
        int least = 0;
        int greatest = 0;
        shared::checked<Driver>(call::least_priority, driver_.least_priority(least, greatest));
        const int priority = std::clamp(what.priority, greatest, least);
        shared::checked<Driver>(call::create_stream, driver_.create_stream(made.stream, priority));
        made.owned = true;
      }
      streams.push_back(made);
    }
  }

  /// Lets the device of each stream use what pools have allocated on those of the others. Throws
  /// `usage_error` if it cannot. \p names: of the streams; `pool_of(device)` is what allocates
  /// there.
  template <class PoolOf>
  void give_access(planner::view<std::string_view> names, PoolOf pool_of) const {
    for (std::size_t s = 0; s < streams.size(); ++s) {
      if (!first_on_device(s)) continue;
      for (std::size_t of = 0; of < streams.size(); ++of) {
        if (of == s || !first_on_device(of)) continue;
        bool can = false;
        shared::checked<Driver>(call::can_access,
                                driver_.can_access(can, streams[s].device, streams[of].device));
        if (!can) refuse_access(names[s], streams[s].device, names[of], streams[of].device);
        shared::checked<Driver>(
            call::give_access, driver_.give_access(pool_of(streams[of].device), streams[s].device));
      }
    }
  }

  /// \p count events for a stream; a host thread that waits for one of them sleeps if \p sleep.
  void make_events(std::size_t count, const stream_handle<Driver>& of, bool sleep) {
    shared::on_device<Driver> current(driver_);
    current.use(of.device);
    for (std::size_t i = 0; i < count; ++i) {
      typename Driver::event made{};
      if (sleep) {
        shared::checked<Driver>(call::create_blocking_event, driver_.create_blocking_event(made));
      } else {
        shared::checked<Driver>(call::create_event, driver_.create_event(made));
      }
      events.push_back(made);
    }
  }

  /// Waits until all that was put on the streams is done; what went wrong first, or null.
  std::exception_ptr synchronize() const noexcept {
    std::exception_ptr first;
    for (const stream_handle<Driver>& s : streams) {
      try {
        shared::checked<Driver>(call::synchronize_stream, driver_.synchronize_stream(s.stream));
      } catch (...) {
        if (!first) first = std::current_exception();
      }
    }
    return first;
  }

  planner::list<stream_handle<Driver>> streams;
  planner::list<typename Driver::event> events;

 private:
  template <class Number>
  static void refuse_unknown(planner::view<std::string_view> names, Number number,
                             const device::streams<Driver>& wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (number(wanted[i].name) == planner::none)
        throw usage_error(runner::text_builder()
                              .add("stream ")
                              .name(wanted[i].name)
                              .add(" is given for the device, but the schedule has no such stream: "
                                   "it has ")
                              .names(names)
                              .text());
  }
  bool first_on_device(std::size_t stream) const {
    for (std::size_t s = 0; s < stream; ++s)
      if (streams[s].device == streams[stream].device) return false;
    return true;
  }
  [[noreturn]] static void refuse_access(std::string_view stream, int device,
                                         std::string_view other, int of) {
    throw usage_error(runner::text_builder()
                          .add("stream ")
                          .name(stream)
                          .add(" is on device ")
                          .add(static_cast<long>(device))
                          .add(", which cannot access memory of device ")
                          .add(static_cast<long>(of))
                          .add(", where stream ")
                          .name(other)
                          .add(" is: put them on one device, pass a memory resource that all of "
                               "the devices can access, or, if tasks only copy from one device to "
                               "the other, usage{.peer_access = false}")
                          .text());
  }
  [[noreturn]] static void refuse_device(std::string_view stream, int device, int devices) {
    throw usage_error(runner::text_builder()
                          .add("stream ")
                          .name(stream)
                          .add(" is to be on device ")
                          .add(static_cast<long>(device))
                          .add(", but there are ")
                          .add(static_cast<long>(devices))
                          .add(", numbered from 0")
                          .text());
  }

  [[no_unique_address]] Driver driver_;
};

}  // namespace detail
}  // namespace stretto::device
