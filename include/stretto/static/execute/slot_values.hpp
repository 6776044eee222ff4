// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <new>
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
  bool make(std::size_t host, runner::caught& failure) {
    return made_[host].all || runner::make_values(rooms(), host, made_[host], failure);
  }
  /// While no run is on.
  void release() {
    const auto all = rooms();
    for (std::size_t h = 0; h < hosts::count; ++h) runner::release_values(all, h, made_[h]);
  }

 private:
  /// Who makes and ends the values of a type.
  struct makers {
    void (*make)(void* at);
    void (*make_by)(const void* maker, void* at, std::size_t filler);
    void (*end)(void*);
  };
  template <class Type>
  static constexpr makers makers_of() {
    if constexpr (Device::submits) {
      if constexpr (Device::template makes<Type>)
        return {nullptr, &make_device_value<Type, device>, &end_value<Type>};
      else
        return {&make_value<Type>, nullptr, &end_value<Type>};
    } else {
      return {&make_value<Type>, nullptr, &end_value<Type>};
    }
  }
  using slot_list = typename slots_of<Schedule>::type;
  template <class... Slot>
  static constexpr std::array<makers, sizeof...(Slot)> makers_of_each(pack<Slot...>) {
    return {makers_of<typename Slot::value_type>()...};
  }
  static constexpr auto made_by = makers_of_each(slot_list{});

  [[gnu::noinline]] std::array<runner::slot_storage, slot_list::size> rooms() const {
    std::array<runner::slot_storage, slot_list::size> all;
    add_rows(all, std::make_index_sequence<copy_counts<Schedule>::size>{});
    for (std::size_t s = 0; s < all.size(); ++s) {
      runner::slot_storage& r = all[s];
      r.first += ring_layout<Schedule>::offsets[s];
      r.copies = plan.copies[s];
      r.make = made_by[s].make;
      r.make_by = made_by[s].make_by;
      if (r.make_by != nullptr) r.maker = &device_;
      r.end = made_by[s].end;
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
  template <std::size_t Slots, std::size_t... Copy>
  void add_rows(std::array<runner::slot_storage, Slots>& all, std::index_sequence<Copy...>) const {
    (add_row<copy_counts<Schedule>::value[Copy]>(all), ...);
  }
  /// Where the slots are that have this number of copies.
  template <std::size_t Copies, std::size_t Slots>
  void add_row(std::array<runner::slot_storage, Slots>& all) const {
    auto& rows = generations_in<Copies>(memory_);
    for (std::size_t s = 0; s < Slots; ++s) {
      if (plan.copies[s] != Copies) continue;
      all[s].first = rows[0].bytes;
      all[s].stride = sizeof(rows[0]);
    }
  }

  ring<Schedule>& memory_;
  const device& device_;
  std::array<runner::slots_made, hosts::count> made_{};
};

}  // namespace stretto::typed::detail
