// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto {

/// What bodies that are values may ask for first where streams are on a device: a device
/// specialises it for its context and its streams, with `known`, the `driver` that they are of, and
/// `get(here, spot)`, where `here()` is the task_context and `spot` the task's place on the device;
/// for its handles with `kept`, what the device has to make for the task. What does not tell the
/// batch says so by `knows_batch = false`: then the task can be captured.
template <class Type>
struct asked_of_device {
  static constexpr bool known = false;
};

/// The types that stand for the location on a device where a slot's value is made: a device
/// specialises it for its own, with the `driver` that the location is of.
template <class Type>
struct slot_location_traits {
  static constexpr bool known = false;
};

/// Whether a value of a type stands for memory of a device, at `data()`, of which all values of the
/// type have as much: a device specialises it for its own.
template <class Type>
inline constexpr bool lies_on_device = false;

}  // namespace stretto
