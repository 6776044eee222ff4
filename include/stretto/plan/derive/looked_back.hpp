// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/rate.hpp>
#include <stretto/plan/model/view.hpp>

/// What batches find in slots that was written for batches before them, whatever the plan.
namespace stretto::planner {

/// The value that a slot, by number, has for a batch.
struct earlier_value {
  std::size_t slot;
  std::size_t batch;

  friend constexpr bool operator==(const earlier_value&, const earlier_value&) = default;
};

/// The batches of which a task may read a value that a slot has for the batch \p written: from
/// \c first up to, not including, \c last.
constexpr range readers_of_value(const access& read, const rate& slot, std::size_t written) {
  const auto every = static_cast<std::size_t>(slot.every);
  const auto ago = static_cast<std::size_t>(read.ago);
  const std::size_t first = read.latest ? written + ago : (written / every + ago) * every;
  return {first, first + every};
}

namespace detail {

/// Whether a task runs for one of the batches from \c first up to, not including, \c last.
constexpr bool runs_among(const rate& r, const range& batches) {
  const auto every = static_cast<std::size_t>(r.every);
  const std::size_t off = (batches.first + every - static_cast<std::size_t>(r.phase)) % every;
  return batches.first + (off == 0 ? 0 : every - off) < batches.last;
}

/// Calls \p look with each read of a slot that may be of another batch than the one at hand, and
/// the rate of who reads: of tasks, and of who hands results out.
template <class Look>
constexpr void each_look_back(const declaration& d, const name& slot, Look look) {
  const bool of_group = rate_of_slot(d, slot).every > 1;
  for (const task& t : d.tasks)
    for (const access& read : t.reads)
      if (read.slot == slot && (read.ago > 0 || of_group)) look(read, rate_of(t));
  for (const name& result : d.results)
    if (result == slot && of_group) look(access{result}, rate{});
}

}  // namespace detail

/// Whether batches may look back at what a slot held for earlier ones.
constexpr bool is_looked_back(const declaration& d, const name& slot) {
  bool found = false;
  detail::each_look_back(d, slot, [&found](const access&, const rate&) { found = true; });
  return found;
}

/// The values, written for batches before \p first, that the batches from there on look back at:
/// by slot, its newest first. \p slot_names: by number.
constexpr list<earlier_value> looked_back(const declaration& d, view<name> slot_names,
                                          std::size_t first) {
  list<earlier_value> all;
  for (std::size_t s = 0; s < slot_names.size(); ++s) {
    const rate of_slot = rate_of_slot(d, slot_names[s]);
    const auto every = static_cast<std::size_t>(of_slot.every);
    const auto phase = static_cast<std::size_t>(of_slot.phase);
    std::size_t farthest = 0;  // batches between a reader and what it reads
    detail::each_look_back(d, slot_names[s], [&farthest, every](const access& read, const rate&) {
      farthest = larger(farthest, (static_cast<std::size_t>(read.ago) + 2) * every);
    });
    // From the newest of its batches before the first on.
    std::size_t batch = first < phase + 1 ? none : (first - 1 - phase) / every * every + phase;
    for (; batch != none && batch + farthest > first;
         batch = batch < every ? none : batch - every) {
      bool read_later = false;
      detail::each_look_back(
          d, slot_names[s],
          [&read_later, &of_slot, batch, first](const access& read, const rate& reader) {
            range readers = readers_of_value(read, of_slot, batch);
            readers.first = larger(readers.first, first);
            read_later =
                read_later || (readers.first < readers.last && detail::runs_among(reader, readers));
          });
      if (read_later) all.push_back({s, batch});
    }
  }
  return all;
}

}  // namespace stretto::planner
