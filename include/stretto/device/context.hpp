// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/context.hpp>

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
  operator typename Driver::stream() const;
};

}  // namespace detail
}  // namespace stretto::device
