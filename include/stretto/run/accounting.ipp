// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/model/ends.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/error.hpp>

namespace stretto::runner {

[[gnu::cold]] STRETTO_INLINE std::size_t run_accounting::first_host(std::size_t thread) const {
  std::size_t hosts = 0;
  for (std::size_t t = 0; t < thread; ++t) hosts += workers[t];
  return hosts;
}

[[gnu::cold]] STRETTO_INLINE std::size_t run_accounting::first_missing(std::size_t node,
                                                                       std::size_t host) const {
  const stopping_point& left = stopped[host];
  return left.progress + (place[node] < left.place ? workers[thread_of[node]] : 0);
}

[[gnu::cold]] STRETTO_INLINE const passed_over& run_accounting::passed_by(
    std::size_t node, std::size_t progress) const {
  return passed[passed_over_place(thread_of, workers, node, progress)];
}

[[gnu::cold]] STRETTO_INLINE std::size_t run_accounting::finished_by(std::size_t node) const {
  const std::size_t turns = workers[thread_of[node]];
  const std::size_t host = first_host(thread_of[node]);
  std::size_t finished = batches;
  for (std::size_t k = 0; k < turns; ++k) {
    // The worker's first progress that asked something of the node: not one before its first
    // batch, nor a fellow's.
    std::size_t next = first_missing(node, host + k);
    const std::size_t passed_from = passed_by(node, k).batch;
    if (passed_from != passed_over::nothing) next = planner::smaller(next, passed_from + lag[node]);
    if (next < first + lag[node]) next = first + lag[node];
    next += (k + turns - next % turns) % turns;
    if (next - lag[node] < finished) finished = next - lag[node];
  }
  // Nothing is left to do for a batch for which the node does not run.
  const auto done = [this, node](std::size_t batch) {
    return !planner::runs_for(runs[node], batch) || has_finished(node, batch);
  };
  if (!runs.empty() && runs[node].every > 1)
    while (finished < batches && done(finished)) ++finished;
  return finished;
}

[[gnu::cold]] STRETTO_INLINE bool run_accounting::has_finished(std::size_t node,
                                                               std::size_t batch) const {
  const std::size_t thread = thread_of[node];
  const std::size_t progress = batch + lag[node];
  if (batch < first) return true;
  return batch < batches && batch < passed_by(node, progress).batch &&
         first_missing(node, first_host(thread) + progress % workers[thread]) > progress;
}

[[gnu::cold]] STRETTO_INLINE bool run_accounting::has_run(std::size_t node,
                                                          std::size_t batch) const {
  return has_finished(node, batch) && (runs.empty() || planner::runs_for(runs[node], batch)) &&
         !verdicts.skips(node, batch);
}

[[gnu::cold]] STRETTO_INLINE bool run_accounting::has_begun(std::size_t node,
                                                            std::size_t batch) const {
  if (has_finished(node, batch)) return true;
  const std::size_t thread = thread_of[node];
  const passed_over& by = passed_by(node, batch + lag[node]);
  const stopping_point& left = stopped[first_host(thread) + (batch + lag[node]) % workers[thread]];
  return (by.begun && by.batch == batch) ||
         (left.failure.node == node && left.failure.progress == batch + lag[node]);
}

[[gnu::cold]] STRETTO_INLINE bool run_accounting::has_group_to_end(std::size_t node) const {
  return !runs.empty() && planner::batch_at_end(runs[node], batches) != planner::none;
}

[[gnu::cold]] STRETTO_INLINE bool run_accounting::has_ended_group(std::size_t node) const {
  if (!has_group_to_end(node)) return false;
  const std::size_t batch = planner::batch_at_end(runs[node], batches);
  const std::size_t turns = workers[thread_of[node]];
  const std::size_t host = first_host(thread_of[node]) + (batch + lag[node]) % turns;
  return batch < passed_by(node, batch + lag[node]).batch &&
         first_missing(node, host) > batch + lag[node];
}

[[gnu::cold]] STRETTO_INLINE bool run_accounting::has_ended_groups() const {
  for (std::size_t node = 0; node < tasks(); ++node)
    if (has_group_to_end(node) && !has_ended_group(node)) return false;
  return true;
}

[[gnu::cold]] STRETTO_INLINE bool run_accounting::holds(std::size_t filler, std::size_t batch,
                                                        std::size_t copies) const {
  return has_run(filler, batch) && !has_begun(filler, batch + copies);
}

namespace detail {

STRETTO_INLINE const stopping_point* first_failure(const run_accounting& all) {
  const stopping_point* first = nullptr;
  for (const stopping_point& left : all.stopped)
    if (left.failure.node != planner::none &&
        (first == nullptr || left.failure.place < first->failure.place))
      first = &left;
  return first;
}

STRETTO_INLINE std::size_t failed_batch(const run_accounting& all, const stopping_point& failed) {
  const std::size_t lag = all.lag[failed.failure.node];
  // Before its first batch, if the value of a slot that it fills could not be made.
  return failed.failure.progress > all.first + lag ? failed.failure.progress - lag : all.first;
}

STRETTO_INLINE void throw_first_failure(const run_accounting& all) {
  const stopping_point& first = *first_failure(all);
  throw_task_error(all.names[first.failure.node], failed_batch(all, first), first.failure.progress,
                   first.failure.error);
}

STRETTO_INLINE run_numbers numbers_of(const run_accounting& all, const ending& how) {
  run_numbers n;
  n.pulled = all.finished_by(all.tasks());
  n.finished = n.pulled;
  for (std::size_t task = 0; task < all.tasks(); ++task)
    if (const std::size_t by = all.finished_by(task); by < n.finished) n.finished = by;
  n.first = how.first;
  n.delivered = how.delivered - how.first - how.dropped;
  n.dropped = how.dropped;
  const bool nothing_left = n.finished == all.batches && all.has_ended_groups();
  const bool stopped_nothing =
      nothing_left && (how.stopped == run_end::cancelled ||
                       (how.stopped == run_end::left_early && how.delivered == n.finished));
  n.end = first_failure(all) != nullptr && !how.ahead ? run_end::failed
          : stopped_nothing                           ? how.through
                                                      : how.stopped;
  n.pulled -= n.first;
  n.finished -= n.first;
  return n;
}

}  // namespace detail
}  // namespace stretto::runner
