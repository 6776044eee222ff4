// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <new>
#include <stretto/plan/model/view.hpp>
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
void make_device_value(const void* device, void* at, const runner::value_place& of) {
  static_cast<const Device*>(device)->template make<Type>(at, of);
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
    const table all = rooms();
    for (std::size_t h = 0; h < hosts::count; ++h) runner::end_values(all, h, made_[h]);
  }

  /// On a host thread, before its part of a run.
  bool make(std::size_t host, runner::caught& failure) {
    return made_[host].all || runner::make_values(rooms(), host, made_[host], failure);
  }
  /// Whether tasks consume or produce items of a slot that the device makes.
  static constexpr bool device_makes_items() {
    if constexpr (Device::submits && declared<Schedule>::has_items) {
      const auto any_of = [](planner::view<planner::access> used) {
        for (const planner::access& a : used)
          for (std::size_t s = 0; s < slot_list::size; ++s)
            if (a.items != 0 && plan.slot_list[s] == a.slot && is_made_by_device(s)) return true;
        return false;
      };
      for (std::size_t n = 0; n < plan.tasks; ++n) {
        const planner::task& t = declared<Schedule>::value.tasks[n];
        if (any_of(t.reads) || any_of(t.writes)) return true;
      }
    }
    return false;
  }
  static constexpr bool is_made_by_device(std::size_t slot) {
    return known.of[slot].make_by != nullptr;
  }
  /// While no run is on.
  void release() {
    const table all = rooms();
    for (std::size_t h = 0; h < hosts::count; ++h) runner::release_values(all, h, made_[h]);
  }

 private:
  /// Who makes and ends the values of a type.
  struct makers {
    void (*make)(void* at);
    void (*make_by)(const void* maker, void* at, const runner::value_place& of);
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
  /// The room of each slot, and where in a row of the ring it is.
  struct table {
    runner::slot_storage of[slot_list::size];  // NOLINT(modernize-avoid-c-arrays): see signals
    std::size_t offset[slot_list::size];       // NOLINT(modernize-avoid-c-arrays)

    operator planner::view<runner::slot_storage>() const {
      return {of, slot_list::size};
    }  // NOLINT
  };
  /// What is known of it here.
  template <class... Slot>
  static constexpr table known_rooms(pack<Slot...>) {
    const makers made_by[] = {makers_of<typename Slot::value_type>()...};
    table all{};
    for (std::size_t s = 0; s < slot_list::size; ++s) {
      runner::slot_storage& r = all.of[s];
      all.offset[s] = ring_layout<Schedule>::offsets[s];
      r.copies = plan.copies[s];
      r.make = made_by[s].make;
      r.make_by = made_by[s].make_by;
      r.end = made_by[s].end;
      if constexpr (declared<Schedule>::has_items) {
        constexpr std::size_t sizes[] = {sizeof(typename Slot::value_type)...};
        r.values = values_in_copy<Schedule>(s);
        r.size = sizes[s];
      }
      r.name = plan.slot_list[s].text;
      r.filler = plan.fillers[s];
      r.lag = plan.lag[r.filler];
      const std::size_t thread = plan.thread_of[r.filler];
      r.group = plan.thread_names[thread];
      r.host = hosts::first(thread);
      r.workers = hosts::workers(thread);
      r.every = static_cast<std::size_t>(plan.runs[r.filler].every);
      r.phase = static_cast<std::size_t>(plan.runs[r.filler].phase);
    }
    return all;
  }
  static constexpr table known = known_rooms(slot_list{});

  [[gnu::noinline]] table rooms() const {
    table all = known;
    add_rows(all, std::make_index_sequence<copy_counts<Schedule>::size>{});
    if constexpr (Device::submits)
      for (runner::slot_storage& r : all.of)
        if (r.make_by != nullptr) r.maker = &device_;
    return all;
  }
  template <std::size_t... Copy>
  void add_rows(table& all, std::index_sequence<Copy...>) const {
    (add_row(all, copy_counts<Schedule>::value[Copy],
             generations_in<copy_counts<Schedule>::value[Copy]>(memory_)->bytes,
             sizeof(ring_row<Schedule, copy_counts<Schedule>::value[Copy]>)),
     ...);
  }
  /// Where the slots are that have this number of copies.
  static void add_row(table& all, std::size_t copies, std::byte* first, std::size_t stride) {
    for (std::size_t s = 0; s < slot_list::size; ++s) {
      if (all.of[s].copies != copies) continue;
      all.of[s].first = first + all.offset[s];
      all.of[s].stride = stride;
    }
  }

  ring<Schedule>& memory_;
  const device& device_;
  runner::slots_made made_[hosts::count]{};  // NOLINT(modernize-avoid-c-arrays)
};

}  // namespace stretto::typed::detail
