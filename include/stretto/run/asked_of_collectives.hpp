// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/run/asked_of_device.hpp>
#include <stretto/run/backend.hpp>

namespace stretto {

/// What bodies that are values may ask for first where a pipeline is given collectives: a library
/// specialises it for what contexts get of it, with `known`, that type as `in_context`, and
/// `get(here, spot, among)`, where `here()` is the task_context, `spot` the task's place on the
/// device and `among` points to an `in_context`.
template <class Type>
struct asked_of_collectives {
  static constexpr bool known = false;
};

// Bodies that are values ask for both by the whole context, or for one of them.

template <class Device, class Collectives>
  requires asked_of_device<typename Device::context>::known
struct asked_of_device<runner::detail::full_context<Device, Collectives>>
    : asked_of_device<typename Device::context> {};

template <class Device, class Collectives>
struct asked_of_collectives<runner::detail::full_context<Device, Collectives>> {
  static constexpr bool known = true;
  using in_context = typename Collectives::in_context;
  template <class Here>
  static auto get(Here here, [[maybe_unused]] const void* spot, const void* among) {
    using context = runner::detail::full_context<Device, Collectives>;
    using device = asked_of_device<typename Device::context>;
    const auto& ranks = *static_cast<const in_context*>(among);
    if constexpr (device::known) {
      return context(device::get(here, spot), ranks);
    } else {
      return context(here(), ranks);
    }
  }
};

}  // namespace stretto
