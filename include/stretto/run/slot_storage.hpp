// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/copy_size.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/run/wait/signal.hpp>
#include <string_view>

/// Who makes the values of slots, where and when; types are forgotten.
namespace stretto::runner {

static_assert(planner::copy_alignment(1) == cache_line);

/// Which value is made: of which slot and copy. \c filler is the slot's.
struct value_place {
  std::size_t slot = 0;
  std::size_t copy = 0;
  std::size_t filler = 0;
};

/// Room for the copies of one slot, each of which has a value or the items of a batch, and who
/// makes those.
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
  std::size_t every = 1;
  std::size_t phase = 0;
  /// What makes the values, if it takes more than a constructor, and how.
  const void* maker = nullptr;
  void (*make_by)(const void* maker, void* at, const value_place& of) = nullptr;

  std::size_t values = 1;  ///< in a copy, side by side; those that a device makes are alone
  std::size_t size = 0;    ///< of each, if there are several

  void* at(std::size_t copy, std::size_t value = 0) const {
    return first + copy * stride + value * size;
  }
  /// The host thread that fills a copy first in a run.
  std::size_t host_of(std::size_t copy) const {
    return host + (copy * every + phase + lag) % workers;
  }
};

/// What one host thread has made, of the values that are its own in order.
struct alignas(cache_line) slots_made {
  std::size_t ever = 0;  ///< values made so far
  std::size_t now = 0;   ///< of these, values that were not released since
  bool all = false;
};

/// Makes the values that host thread \p host is to make, on the calling thread, so that their
/// memory is on its node. If one of them throws, those before it stay, and the next run goes on
/// there. Whether none threw; otherwise \p failure says which.
STRETTO_INLINE bool make_values(planner::view<slot_storage> rooms, std::size_t host,
                                slots_made& made, caught& failure);
/// Destroys what make_values() made, except what a device made, which has no promises to break and
/// may be in use by graphs. The next run makes the values anew.
STRETTO_INLINE void release_values(planner::view<slot_storage> rooms, std::size_t host,
                                   slots_made& made);
/// Ends all that make_values() made.
STRETTO_INLINE void end_values(planner::view<slot_storage> rooms, std::size_t host,
                               const slots_made& made);

}  // namespace stretto::runner

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/slot_storage.ipp>
#endif
