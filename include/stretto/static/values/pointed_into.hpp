// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/slot.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/static/values/task_fields.hpp>

/// Which slots of a schedule point into which others.
namespace stretto::typed {

namespace detail {

template <class Slot, class... Into>
constexpr void add_into(const points_into<Into...>*, planner::pointing* all, std::size_t& count) {
  for (const name* const into : {&name_of<Into>...}) {
    bool known = false;
    for (std::size_t i = 0; i < count; ++i)
      known = known || (all[i].slot == name_of<Slot> && all[i].into == *into);
    if (!known) all[count++] = {name_of<Slot>, *into};
  }
}
template <class Slot>
constexpr void add_into(const void*, planner::pointing*, std::size_t&) {}
template <class... Slot>
constexpr void add_pointings(pack<Slot...>, [[maybe_unused]] planner::pointing* all,
                             [[maybe_unused]] std::size_t& count) {
  (add_into<Slot>(static_cast<Slot*>(nullptr), all, count), ...);
}

}  // namespace detail

/// No pair twice; `Most` counts them with repetitions.
template <std::size_t Most>
struct pointing_rows {
  std::array<planner::pointing, Most> all{};
  std::size_t count = 0;
};

/// What the slot of the source, and those that tasks write, point into.
template <std::size_t Most, class Source, class... Task>
consteval pointing_rows<Most> pointings_of(pack<Task...>) {
  pointing_rows<Most> rows;
  if constexpr (Most > 0) {
    detail::add_pointings(Source{}, rows.all.data(), rows.count);
    (detail::add_pointings(typename task_fields<Task>::writes{}, rows.all.data(), rows.count), ...);
  }
  return rows;
}

}  // namespace stretto::typed
