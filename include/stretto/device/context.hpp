// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/context.hpp>
#include <stretto/run/asked_of_device.hpp>

namespace stretto::device {

/// What a task's body gets as its context where streams are on a device: `stretto::context auto&`,
/// `device::context<Driver>&`, or just the stream, which it converts to:
/// `void operator()(cudaStream_t, const In&, Out&)`. The body puts its work on that stream and
/// returns; what has to be waited for has been by then, and what others wait for is recorded after.
template <class Driver>
class context : public task_context {
 public:
  context(const task_context& here, const Driver& driver, typename Driver::stream stream,
          int device)
      : task_context(here), driver_(driver), stream_(stream), device_(device) {}

  /// The task's stream; the device's default one for a task without.
  typename Driver::stream stream() const { return stream_; }
  operator typename Driver::stream() const { return stream_; }
  /// The number of the device that the stream is on; for a task without, of the schedule's first
  /// stream.
  int device() const { return device_; }
  const Driver& driver() const { return driver_; }

 private:
  [[no_unique_address]] Driver driver_;
  typename Driver::stream stream_;
  int device_;
};

namespace detail {

/// A context of which only the stream can be had.
template <class Driver>
struct stream_only {
  operator typename Driver::stream() const { return stream; }

  typename Driver::stream stream{};
};

/// A task's place on the device, as the runtime version keeps it for bodies that ask.
template <class Driver>
struct spot {
  [[no_unique_address]] Driver driver;
  typename Driver::stream stream{};
  int device = 0;
  void* const* kept = nullptr;  ///< what its handle refers to, if the body asks for one
};

}  // namespace detail

/// What the `asked_of_device` of a driver's streams derives from, so that bodies that are values
/// may ask for their stream: only the driver's author knows that the type is nobody else's.
template <class Driver>
struct asked_stream {
  static constexpr bool known = true;
  static constexpr bool knows_batch = false;
  using driver = Driver;
  template <class Here>
  static typename Driver::stream get(Here, const void* spot) {
    return static_cast<const detail::spot<Driver>*>(spot)->stream;
  }
};

}  // namespace stretto::device

namespace stretto {

template <class Driver>
struct asked_of_device<device::detail::stream_only<Driver>> : device::asked_stream<Driver> {
  template <class Here>
  static device::detail::stream_only<Driver> get(Here here, const void* spot) {
    return {device::asked_stream<Driver>::get(here, spot)};
  }
};

template <class Driver>
struct asked_of_device<device::context<Driver>> {
  static constexpr bool known = true;
  using driver = Driver;
  template <class Here>
  static device::context<Driver> get(Here here, const void* spot) {
    const auto& at = *static_cast<const device::detail::spot<Driver>*>(spot);
    return {here(), at.driver, at.stream, at.device};
  }
};

}  // namespace stretto
