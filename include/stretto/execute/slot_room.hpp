// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/execute/error.hpp>
#include <stretto/execute/run_state.hpp>
#include <stretto/execute/signal.hpp>
#include <stretto/plan/view.hpp>
#include <string_view>

/// Who makes the values of slots, where and when; types are forgotten.
namespace stretto::detail {

/// What copies of a slot of this size are aligned to: cache lines, because batches in flight are in
/// use by several threads at once. Large values have pages of their own, so that each is in the
/// memory next to the thread that makes it.
constexpr std::size_t copy_alignment_for(std::size_t size) {
  return size >= std::size_t{64} * 1024 ? 4096 : cache_line;
}

/// Room for the copies of one slot, and who makes their values.
struct slot_room {
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

/// What one host thread has made.
struct alignas(cache_line) slots_made {
  std::size_t values = 0;
  bool all = false;
};

/// Makes the values that host thread \p host is to make, on the calling thread, so that their
/// memory is on its node. If one of them throws, those before it stay, and the next run goes on
/// there.
inline caught make_values(plan::view<slot_room> rooms, std::size_t host, slots_made& made) {
  std::size_t number = 0;
  for (const slot_room& r : rooms)
    for (std::size_t copy = 0; copy < r.copies; ++copy) {
      if (r.host_of(copy) != host || number++ < made.values) continue;
      try {
        if (r.maker != nullptr) {
          r.make_by(r.maker, r.at(copy), r.filler);
        } else {
          r.make(r.at(copy));
        }
      } catch (...) {
        return {r.filler, slot_failure(r.name, r.group)};
      }
      ++made.values;
    }
  made.all = true;
  return {};
}
/// Ends what make_values() made.
inline void end_values(plan::view<slot_room> rooms, std::size_t host, const slots_made& made) {
  std::size_t number = 0;
  for (const slot_room& r : rooms)
    for (std::size_t copy = 0; copy < r.copies; ++copy)
      if (r.host_of(copy) == host && number++ < made.values) r.end(r.at(copy));
}

}  // namespace stretto::detail
