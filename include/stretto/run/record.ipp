// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <new>
#include <stretto/plan/model/ends.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/record.hpp>
#include <stretto/run/text_builder.hpp>
#include <string>
#include <string_view>

namespace stretto::runner::detail {

[[gnu::cold]] STRETTO_INLINE void kept_report::restart(std::size_t threads) {
  // Vectors of a size that is known are what a compiler is quickest with.
  const std::size_t most = threads + most_late_failures;
  report.failures.clear();
  if (room.size() < most) {
    std::vector<run_report::failure>().swap(report.failures);  // which had taken it
    std::vector<run_report::failure>(most).swap(room);
  }
  std::vector<run_report::unfinished>().swap(report.in_flight);  // gives its memory back
  report.end = run_end::none;
  std::vector<run_report::failure>().swap(report.drops);
  std::vector<run_report::unfinished_group>().swap(report.unfinished_groups);
  report.first = report.pulled = report.finished = report.delivered = report.dropped = 0;
  report.dropped_failures = 0;
  report.incomplete = false;
}

// The one operation on strings: each costs a file that has it some compile time.
[[gnu::cold, gnu::noinline]] STRETTO_INLINE void set_name(std::string& to, std::string_view name) {
  to = std::string(name.data(), name.size());
}

[[gnu::cold]] STRETTO_INLINE void kept_report::list_in_flight(const run_accounting& all) {
  std::vector<run_report::unfinished>(report.pulled - report.finished).swap(report.in_flight);
  for (std::size_t i = 0; i < report.in_flight.size(); ++i) {
    run_report::unfinished& left = report.in_flight[i];
    left.batch = report.first + report.finished + i;
    std::size_t tasks = 0;
    for (std::size_t n = 0; n < all.tasks(); ++n) tasks += all.has_run(n, left.batch);
    std::vector<std::string>(tasks).swap(left.ran);
    std::size_t next = 0;
    for (const std::size_t n : all.order)
      if (n < all.tasks() && all.has_run(n, left.batch)) set_name(left.ran[next++], all.names[n]);
  }
}

[[gnu::cold]] STRETTO_INLINE void kept_report::list_unfinished_groups(const run_accounting& all) {
  if (all.runs.empty()) return;
  const std::size_t through = report.first + report.finished;
  const auto left = [&all, through](std::size_t n) {
    if (through == all.batches && all.has_ended_group(n)) return std::size_t{0};
    return planner::batches_left(all.runs[n], through);
  };
  std::size_t groups = 0;
  for (std::size_t n = 0; n < all.tasks(); ++n) groups += left(n) > 0;
  if (groups == 0) return;
  std::vector<run_report::unfinished_group>(groups).swap(report.unfinished_groups);
  std::size_t next = 0;
  for (std::size_t n = 0; n < all.tasks(); ++n)
    if (const std::size_t batches = left(n); batches > 0) {
      run_report::unfinished_group& group = report.unfinished_groups[next++];
      set_name(group.task, all.names[n]);
      group.batches = batches;
    }
}

[[gnu::cold]] STRETTO_INLINE std::size_t count_dropped_failures(const verdict_table& verdicts) {
  std::size_t all = 0;
  if (verdicts.failures != nullptr)
    for (std::size_t i = 0; i < verdicts.droppers.size(); ++i) all += verdicts.failures[i].count();
  return all;
}

[[gnu::cold]] STRETTO_INLINE failure_list list_drops(const verdict_table& verdicts,
                                                     planner::view<std::string_view> names,
                                                     planner::view<std::size_t> lag, bool all) {
  constexpr std::size_t most = most_drops_listed + most_failures_listed;
  // Until they have names, `progress` is the place of who dropped the batch.
  std::vector<run_report::failure> found(verdicts.droppers.size() * most);
  std::size_t count = 0;
  failure_list listed;
  const auto note = [&](std::size_t dropper, std::size_t batch, const std::exception_ptr& error) {
    run_report::failure& next = found[count++];
    next.progress = dropper;
    next.batch = batch;
    next.error = error;
  };
  for (std::size_t i = 0; i < verdicts.droppers.size(); ++i) {
    if (all) {
      // relaxed: the threads have left the run.
      const std::size_t noticed = verdicts.logs[i].count.load(std::memory_order_relaxed);
      for (std::size_t k = 0; k < planner::smaller(noticed, most_drops_listed); ++k)
        note(i, verdicts.logs[i].first[k], nullptr);
    }
    if (verdicts.failures == nullptr) continue;
    listed.count += verdicts.failures[i].each_listed(
        [&](std::size_t batch, const std::exception_ptr& error) { note(i, batch, error); });
  }
  std::vector<run_report::failure>(count).swap(listed.first);
  for (std::size_t i = 0; i < count; ++i) {
    // Its place is behind those of earlier batches, and of tasks before it.
    std::size_t place = 0;
    for (std::size_t j = 0; j < count; ++j)
      place += found[j].batch < found[i].batch + (j < i ? 1 : 0);
    run_report::failure& drop = listed.first[place];
    const std::size_t node = verdicts.droppers[found[i].progress];
    set_name(drop.task, names[node]);
    drop.batch = found[i].batch;
    drop.progress = drop.batch + lag[node];
    drop.error = found[i].error;
  }
  return listed;
}

[[gnu::cold]] STRETTO_INLINE void kept_report::tell(const run_accounting& all,
                                                    const run_numbers& numbers,
                                                    bool late) noexcept {
  report.incomplete = false;  // what was told of the run before it had ended was
  report.end = numbers.end;
  report.first = numbers.first;
  report.pulled = numbers.pulled;
  report.finished = numbers.finished;
  report.delivered = numbers.delivered;
  report.dropped = numbers.dropped;
  report.dropped_failures = count_dropped_failures(all.verdicts);
  try {
    list_drops(all.verdicts, all.names, all.lag, true).first.swap(report.drops);
    list_in_flight(all);
    list_unfinished_groups(all);
  } catch (...) {
    report.drops.clear();
    report.in_flight.clear();
    report.unfinished_groups.clear();
    report.incomplete = true;
  }
  std::size_t failures = 0;
  for (const stopping_point& left : all.stopped) failures += left.failure.node != planner::none;
  if (failures > 0 || late) {
    report.failures.swap(room);
    while (report.failures.size() > failures) report.failures.pop_back();
  }
  for (const stopping_point& left : all.stopped) {
    if (left.failure.node == planner::none) continue;
    // The first is the one that is thrown.
    std::size_t place = 0;
    for (const stopping_point& other : all.stopped)
      if (other.failure.node != planner::none)
        place += other.failure.place < left.failure.place ||
                 (other.failure.place == left.failure.place && &other < &left);
    run_report::failure& failure = report.failures[place];
    try {
      set_name(failure.task, all.names[left.failure.node]);
    } catch (...) {
      report.incomplete = true;
    }
    failure.batch = failed_batch(all, left);
    failure.progress = left.failure.progress;
    failure.error = left.failure.error;
  }
}

[[gnu::cold]] STRETTO_INLINE void check_kept(const run_numbers& latest, bool failed, bool kept) {
  if (failed)
    throw_usage_error(
        "the latest run of this pipeline failed (see report()), and batches that were in flight "
        "are lost: call reset(), and begin anew or from a position that was taken before");
  if (!kept)
    throw_usage_error(
        "slots do not hold any more what batches of the latest run left there, since reset() or "
        "since values of a position could not be put there: begin anew, or from a position that "
        "was taken before");
  if (!latest.all_through())
    throw_usage_error(
        text_builder()
            .add("the latest run was left or cancelled when ")
            .count(latest.pulled - latest.delivered - latest.dropped)
            .add(" of its batches had not got through, which are lost: stop a run that is to go on "
                 "by a token, run(source, token), and take all its results")
            .text());
}

[[gnu::cold]] STRETTO_INLINE void check_groups(const run_accounting& latest) {
  for (std::size_t n = 0; n < latest.tasks(); ++n)
    if (latest.has_ended_group(n))
      throw_usage_error(
          text_builder()
              .add("the latest run ended within a group of task ")
              .name(latest.names[n])
              .add(", which ran for the ")
              .count(planner::batches_left(latest.runs[n], latest.batches))
              .add(" of its batches that were left (`and_at_end`), so that none can follow in that "
                   "group: let a run that others go on from end with full groups, or drop "
                   "`and_at_end`")
              .text());
}

inline const run_record::functions run_record::with_report{
    [](run_record& r, std::size_t threads) { r.kept().restart(threads); },
    [](run_record& r, const run_accounting& all) { r.kept().tell(all, r.numbers_, r.late_); },
    [](run_record& r) {
      r.kept().report.delivered = r.numbers_.delivered;
      r.kept().report.dropped = r.numbers_.dropped;
    },
    [](run_record& r) { r.kept().~kept_report(); }};

// Not `cold`: to GCC, all that can only follow a cold call is cold, too, and that would be the loop
// over the batches.
[[gnu::noinline]] STRETTO_INLINE void run_record::restart(std::size_t threads) {
  const locked alone(taken_);
  stopped_ = false;
  numbers_ = {};
  if (how_ != nullptr) how_->restart(*this, threads);
}

[[gnu::cold]] STRETTO_INLINE void run_record::tell(const run_accounting& all, const ending& how,
                                                   bool late) noexcept {
  const locked alone(taken_);
  stopped_ = true;
  late_ = late;
  numbers_ = numbers_of(all, how);
  if (how_ != nullptr) how_->tell(*this, all);
}

[[gnu::noinline]] STRETTO_INLINE void run_record::tell_delivered(std::size_t through,
                                                                 std::size_t dropped) {
  const locked alone(taken_);
  numbers_.delivered = through - numbers_.first - dropped;
  numbers_.dropped = dropped;
  if (how_ != nullptr) how_->tell_delivered(*this);
}

[[gnu::noinline]] STRETTO_INLINE run_report& run_record::report(std::size_t threads,
                                                                const run_accounting& all) {
  const locked alone(taken_);
  if (how_ == nullptr) {
    auto* const made = ::new (static_cast<void*>(room_)) kept_report;
    try {
      made->restart(threads);
    } catch (...) {
      made->~kept_report();
      throw;
    }
    how_ = &with_report;
    if (stopped_) made->tell(all, numbers_, late_);
  }
  return kept().report;
}

STRETTO_INLINE void run_record::take_numbers() {
  const run_report& report = kept().report;
  numbers_.end = report.end;
  numbers_.finished = report.finished;
}

}  // namespace stretto::runner::detail
