// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>

/// Tasks that run once per so many batches, and the slots that they write.
namespace stretto::planner {

/// That a task runs for one batch of each group of \c every: for that of which \c phase batches of
/// the group come before it. Groups are counted from batch 0 on.
struct rate {
  int every = 1;
  int phase = 0;
  bool at_end =
      false;  ///< if the stream ends before that batch, it runs all the same: see ends.hpp

  friend constexpr bool operator==(const rate&, const rate&) = default;
};

/// Of any declaration: what is out of range is left to rule 2, and counts as the nearest that is
/// not.
constexpr rate rate_of(const task& t) {
  if (t.every <= 1) return {};
  const int every = t.every < most_rate ? t.every : most_rate;
  if (t.phase == last_of_group || t.phase >= every) return {every, every - 1, t.and_at_end};
  return {every, t.phase < 0 ? 0 : t.phase, t.and_at_end};
}

/// Whether a task runs for a batch.
constexpr bool runs_for(const rate& r, std::size_t batch) {
  return r.every == 1 ||
         batch % static_cast<std::size_t>(r.every) == static_cast<std::size_t>(r.phase);
}

/// Which values of a slot a task gets that reads it: \p reader and \p slot are the rates of the
/// task and of whoever writes the slot. Every number is in batches, those of tasks that run for
/// every batch.
struct reach_back {
  int nearest = 0;  ///< from the batch at hand to the newest that a value is read of
  int span = 0;     ///< from there to the oldest that one is read of
  int step = 1;     ///< between two that values may be read of
};

/// Of a read of what the group holds that the batch at hand is in, or \p groups earlier ones. Less
/// than 0 is the nearest if a value is read of a batch that is still to come.
constexpr reach_back reach_of_group(const rate& reader, const rate& slot, int groups) {
  if (slot.every == 1) return {groups, 0, 1};
  const int step = common_divisor(reader.every, slot.every);
  const long long nearest = static_cast<long long>(groups) * slot.every +
                            static_cast<long long>(reader.phase % step) - slot.phase;
  return {static_cast<int>(nearest < most_batches ? nearest : most_batches), slot.every - step,
          step};
}

/// Of a read of the latest value, as it was \p ago batches before the one at hand.
constexpr reach_back reach_of_latest(const rate& reader, const rate& slot, int ago) {
  if (slot.every == 1) return {ago, 0, 1};
  const int step = common_divisor(reader.every, slot.every);
  const int since = ((reader.phase - ago - slot.phase) % step + step) % step;
  return {ago + since, slot.every - step, step};
}

/// For which batches a slot is written: those for which the task runs that is the first in a
/// declaration to write it.
constexpr rate rate_of_slot(const declaration& d, const name& slot) {
  for (const task& t : d.tasks)
    for (const access& a : t.writes)
      if (a.slot == slot) return rate_of(t);
  return {};
}

/// The first batch for which a read finds a value. As many batches before the one at hand, or in
/// the group before the one that it is in, lies what it reads.
constexpr std::size_t first_batch_with(const access& read, const rate& slot) {
  const auto ago = static_cast<std::size_t>(read.ago);
  return read.latest ? ago + static_cast<std::size_t>(slot.phase)
                     : ago * static_cast<std::size_t>(slot.every);
}

/// What a read that a task declares is of.
constexpr reach_back reach_of(const declaration& d, const task& t, const access& read) {
  const rate slot = rate_of_slot(d, read.slot);
  return read.latest ? reach_of_latest(rate_of(t), slot, read.ago)
                     : reach_of_group(rate_of(t), slot, read.ago);
}

}  // namespace stretto::planner
