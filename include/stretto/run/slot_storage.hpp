// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/run/wait/signal.hpp>
#include <string_view>

/// Who makes the values of slots, where and when; types are forgotten.
namespace stretto::runner {

/// What copies of a slot of this size are aligned to: cache lines, because batches in flight are in
/// use by several threads at once. Large values have pages of their own, so that each is in the
/// memory next to the thread that makes it.
constexpr std::size_t copy_alignment_for(std::size_t size) {
  return size >= std::size_t{64} * 1024 ? 4096 : cache_line;
}

/// Room for the copies of one slot, and who makes their values.
struct slot_storage {
  std::byte* first = nullptr;
  std::size_t stride = 0;
  std::size_t copies = 0;
  void (*make)(void* at) = nullptr;
  void (*end)(void*) = nullptr;
  std::string_view name{};
  std::size_t filler = 0;    ///< the node that is first to use a copy for a batch
  std::size_t lag = 0;       ///< the filler's
  std::string_view group{};  ///< the filler's thread group,
  std::size_t host = 0;      ///< the first of its host threads
  std::size_t workers = 1;   ///< and their number
  /// What makes the values, if it takes more than a constructor, and how.
  const void* maker = nullptr;
  void (*make_by)(const void* maker, void* at, std::size_t filler) = nullptr;

  void* at(std::size_t copy) const { return first + copy * stride; }
  /// The host thread that fills a copy first in a run.
  std::size_t host_of(std::size_t copy) const { return host + (copy + lag) % workers; }
};

/// What one host thread has made, of the values that are its own in order.
struct alignas(cache_line) slots_made {
  std::size_t ever = 0;  ///< values made so far
  std::size_t now = 0;   ///< of these, values that were not released since
  bool all = false;
};

namespace detail {

/// Calls \p use with each copy that host thread \p host makes the value of, and its number among
/// them, until it returns false.
template <class Use>
bool each_copy_of_host(planner::view<slot_storage> rooms, std::size_t host, Use use) {
  std::size_t number = 0;
  for (const slot_storage& r : rooms)
    for (std::size_t copy = 0; copy < r.copies; ++copy)
      if (r.host_of(copy) == host && !use(r, r.at(copy), number++)) return false;
  return true;
}

}  // namespace detail

/// Makes the values that host thread \p host is to make, on the calling thread, so that their
/// memory is on its node. If one of them throws, those before it stay, and the next run goes on
/// there.
inline caught make_values(planner::view<slot_storage> rooms, std::size_t host, slots_made& made) {
  caught failure;
  made.all = detail::each_copy_of_host(
      rooms, host, [&](const slot_storage& r, void* at, std::size_t number) {
        if (number < made.now) return true;
        try {
          if (r.maker == nullptr) {
            r.make(at);
          } else if (number >= made.ever) {
            r.make_by(r.maker, at, r.filler);
          }
        } catch (...) {
          failure = {r.filler, detail::slot_failure(r.name, r.group)};
          return false;
        }
        made.now = number + 1;
        made.ever = (std::max)(made.ever, made.now);
        return true;
      });
  return failure;
}
/// Destroys what make_values() made, except what a device made, which has no promises to break and
/// may be in use by graphs. The next run makes the values anew.
inline void release_values(planner::view<slot_storage> rooms, std::size_t host, slots_made& made) {
  detail::each_copy_of_host(rooms, host, [&](const slot_storage& r, void* at, std::size_t number) {
    if (number >= made.now) return false;
    if (r.maker == nullptr) r.end(at);
    return true;
  });
  made.now = 0;
  made.all = false;
}
/// Ends all that make_values() made.
inline void end_values(planner::view<slot_storage> rooms, std::size_t host,
                       const slots_made& made) {
  detail::each_copy_of_host(rooms, host, [&](const slot_storage& r, void* at, std::size_t number) {
    if (number < (r.maker == nullptr ? made.now : made.ever)) r.end(at);
    return true;
  });
}

}  // namespace stretto::runner
