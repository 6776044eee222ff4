// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/run/error.hpp>
#include <stretto/run/slot_storage.hpp>

namespace stretto::runner {

namespace detail {

/// Ends the first values in a copy.
inline void end_copy(const slot_storage& r, std::size_t copy, std::size_t values) {
  while (values > 0) r.end(r.at(copy, --values));
}

/// Makes the values of a copy; if one throws, there is none.
inline void make_copy(const slot_storage& r, std::size_t copy) {
  std::size_t made = 0;
  try {
    for (; made < r.values; ++made) r.make(r.at(copy, made));
  } catch (...) {
    end_copy(r, copy, made);
    throw;
  }
}

/// Makes a value; one that a device makes, the first time only. Whether it did not throw.
[[gnu::noinline]] STRETTO_INLINE bool make_one(const slot_storage& r, const value_place& of,
                                               bool first_time, caught& failure) {
  try {
    if (r.maker == nullptr) {
      make_copy(r, of.copy);
    } else if (first_time) {
      r.make_by(r.maker, r.at(of.copy), of);
    }
  } catch (...) {
    failure = {r.filler, slot_failure(r.name, r.group)};
    return false;
  }
  return true;
}

enum class values { make, release, end };

/// Goes through the copies that a host thread makes the values of. False if one could not be made.
[[gnu::noinline]] STRETTO_INLINE bool each_value(planner::view<slot_storage> rooms,
                                                 std::size_t host, slots_made& made, values what,
                                                 caught* failure) {
  std::size_t number = 0;  // of a copy, among them
  for (std::size_t slot = 0; slot < rooms.size(); ++slot) {
    const slot_storage& r = rooms[slot];
    for (std::size_t copy = 0; copy < r.copies; ++copy) {
      if (r.host_of(copy) != host) continue;
      const std::size_t n = number++;
      const bool by_device = r.maker != nullptr;
      if (what == values::make) {
        if (n < made.now) continue;
        if (!make_one(r, {slot, copy, r.filler}, n >= made.ever, *failure)) return false;
        made.now = n + 1;
        if (made.ever < made.now) made.ever = made.now;
      } else if (by_device ? what == values::end && n < made.ever : n < made.now) {
        end_copy(r, copy, r.values);
      }
    }
  }
  return true;
}

}  // namespace detail

STRETTO_INLINE bool make_values(planner::view<slot_storage> rooms, std::size_t host,
                                slots_made& made, caught& failure) {
  return made.all = detail::each_value(rooms, host, made, detail::values::make, &failure);
}
STRETTO_INLINE void release_values(planner::view<slot_storage> rooms, std::size_t host,
                                   slots_made& made) {
  detail::each_value(rooms, host, made, detail::values::release, nullptr);
  made.now = 0;
  made.all = false;
}
STRETTO_INLINE void end_values(planner::view<slot_storage> rooms, std::size_t host,
                               const slots_made& made) {
  slots_made last = made;
  detail::each_value(rooms, host, last, detail::values::end, nullptr);
}

}  // namespace stretto::runner
