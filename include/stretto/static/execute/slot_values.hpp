// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <stretto/declare/address_of.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/run/slot_storage.hpp>
#include <stretto/static/execute/hosts.hpp>
#include <stretto/static/execute/ring.hpp>
#include <utility>

namespace stretto::typed::detail {

template <class Type>
void make_value(void* at) {
  ::new (at) Type{};
}
template <class Type>
void end_value(void* at) {
  static_cast<Type*>(at)->~Type();
}

/// Makes a value of a type whose values \p Device makes.
template <class Type, class Device>
void make_device_value(const void* device, void* at, std::size_t filler) {
  static_cast<const Device*>(device)->template make<Type>(at, filler);
}

/// The values in the memory of a pipeline. Each is made by the host thread that is the first to
/// fill its copy, at the beginning of that thread's first run.
template <class Schedule, class Device = no_device>
class slot_values {
  using device = typename Device::template binding<Schedule>;
  using hosts = detail::hosts<Schedule>;
  static constexpr const auto& plan = plan_of<Schedule>;

 public:
  slot_values(ring<Schedule>& memory, const device& on) : memory_(memory), device_(on) {}
  slot_values(const slot_values&) = delete;
  slot_values& operator=(const slot_values&) = delete;
  ~slot_values() {
    const auto all = rooms();
    for (std::size_t h = 0; h < hosts::count; ++h) runner::end_values(all, h, made_[h]);
  }

  /// On a host thread, before its part of a run.
  runner::caught make(std::size_t host) {
    if (made_[host].all) return {};
    return runner::make_values(rooms(), host, made_[host]);
  }
  /// While no run is on.
  void release() {
    const auto all = rooms();
    for (std::size_t h = 0; h < hosts::count; ++h) runner::release_values(all, h, made_[h]);
  }

 private:
  [[gnu::noinline]] auto rooms() {
    using slot_list = typename slots_of<Schedule>::type;
    return rooms_of(slot_list{}, std::make_index_sequence<slot_list::size>{});
  }
  template <class... Slot, std::size_t... Index>
  std::array<runner::slot_storage, sizeof...(Slot)> rooms_of(pack<Slot...>,
                                                             std::index_sequence<Index...>) {
    std::array<runner::slot_storage, sizeof...(Slot)> all{runner::slot_storage{
        reinterpret_cast<std::byte*>(declare::address_of(
            static_cast<slot_copy<Slot>&>(generations_in<plan.copies[Index]>(memory_)[0]).value)),
        sizeof(ring_row<Schedule, plan.copies[Index]>), plan.copies[Index], nullptr,
        &end_value<typename Slot::value_type>}...};
    if constexpr (Device::submits) {
      (choose_maker<typename Slot::value_type>(all[Index]), ...);
    } else {
      ((all[Index].make = &make_value<typename Slot::value_type>), ...);
    }
    for (std::size_t s = 0; s < all.size(); ++s) {
      runner::slot_storage& r = all[s];
      r.name = plan.slot_list[s].text;
      r.filler = plan.fillers[s];
      r.lag = plan.lag[r.filler];
      const std::size_t thread = plan.thread_of[r.filler];
      r.group = plan.thread_names[thread];
      r.host = hosts::first(thread);
      r.workers = hosts::workers(thread);
    }
    return all;
  }

  template <class Type>
  void choose_maker(runner::slot_storage& room) const {
    if constexpr (Device::template makes<Type>) {
      room.maker = &device_;
      room.make_by = &make_device_value<Type, device>;
    } else {
      room.make = &make_value<Type>;
    }
  }

  ring<Schedule>& memory_;
  const device& device_;
  std::array<runner::slots_made, hosts::count> made_{};
};

}  // namespace stretto::typed::detail
