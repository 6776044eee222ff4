// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/rate.hpp>

/// Tasks that run at the end of the stream, too, for what is left of a group: `and_at_end`. Such a
/// task runs where the plan has it, for the batch of the group at its phase, which the stream has
/// not got to; all tasks go on to there, and none other runs. So what the plan proves of its waits
/// and copies holds. Nobody writes what is written for every batch any more, so a value of the last
/// batch stays where it is.
namespace stretto::planner {

/// Whether a task runs for a batch behind the end of a stream of \p batches: it is at the phase of
/// a group of which some batches are there.
constexpr bool runs_at_end(const rate& r, std::size_t batch, std::size_t batches) {
  return r.at_end && batch >= batches && runs_for(r, batch) &&
         batch - static_cast<std::size_t>(r.phase) < batches;
}

/// Of so many batches, how many at the end are of a group that has not got to the phase of a task.
constexpr std::size_t batches_left(const rate& r, std::size_t batches) {
  const std::size_t left = batches % static_cast<std::size_t>(r.every);
  return static_cast<std::size_t>(r.phase) < left ? 0 : left;
}

/// For which batch behind the end it does; none: for none, as its groups are full, or have got to
/// its phase.
constexpr std::size_t batch_at_end(const rate& r, std::size_t batches) {
  const std::size_t left = batches_left(r, batches);
  return !r.at_end || left == 0 ? none : batches - left + static_cast<std::size_t>(r.phase);
}

/// The batch behind the last one for which some task runs.
template <class Rates>
constexpr std::size_t last_run_at_end(const Rates& runs, std::size_t batches) {
  std::size_t last = batches;
  for (const rate& r : runs)
    if (const std::size_t batch = batch_at_end(r, batches); batch != none)
      last = larger(last, batch + 1);
  return last;
}

/// Whether a slot is written for a group of its own when the last batch is \p last.
constexpr bool is_written(const rate& slot, std::size_t group, std::size_t last) {
  const std::size_t begin = group * static_cast<std::size_t>(slot.every);
  return begin + (slot.at_end ? 0 : static_cast<std::size_t>(slot.phase)) <= last;
}

/// Of which group of a slot (or batch, if it is written for each) a task that runs at the end, for
/// a batch behind the last one, reads the value; none: of no one. What is counted back is counted
/// from the last one that is there. \p farthest: how far back the task reads the slot, of whose
/// values as many of the oldest are missing as there are batches missing.
constexpr std::size_t group_read_at_end(const access& read, const rate& slot, std::size_t farthest,
                                        std::size_t batch, std::size_t last) {
  const auto every = static_cast<std::size_t>(slot.every);
  const auto ago = static_cast<std::size_t>(read.ago);
  if (!read.latest) {
    const std::size_t newest = last / every;
    const std::size_t missing = batch / every - newest;
    if (ago > 0 && (ago + missing > farthest || ago > newest)) return none;
    return newest - ago;
  }
  const auto phase = static_cast<std::size_t>(slot.phase);
  if (batch < ago + phase) return none;
  if (every == 1) return smaller(batch - ago, last);
  std::size_t group = (batch - ago - phase) / every;
  while (group > 0 && !is_written(slot, group, last)) --group;
  return is_written(slot, group, last) ? group : none;
}

/// How far back a task reads a slot, for `group_read_at_end`.
constexpr std::size_t farthest_read(const task& t, const name& slot) {
  int most = 0;
  for (const access& read : t.reads)
    if (read.slot == slot && !read.latest) most = larger(most, read.ago);
  return static_cast<std::size_t>(most);
}

}  // namespace stretto::planner
