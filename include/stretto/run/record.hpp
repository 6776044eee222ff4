// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/accounting.hpp>
#include <stretto/run/locked.hpp>
#include <stretto/run/report.hpp>
#include <stretto/run/verdicts.hpp>
#include <string_view>
#include <vector>

namespace stretto::runner::detail {

/// Failures of a run that turn up when its threads have left: of the device, of other ranks, of the
/// user's work on results.
inline constexpr std::size_t most_late_failures = 3;

/// A report, and room for what will fail in a run: it will not want memory to be told.
struct kept_report {
  run_report report;
  std::vector<run_report::failure> room;

  /// For a run that \p threads host threads take part in.
  void restart(std::size_t threads);
  /// Writes down what became of a run's batches. \p late: it may turn out later that something else
  /// has failed.
  void tell(const run_accounting& all, const run_numbers& numbers, bool late) noexcept;

 private:
  /// Lists the batches in flight: all that were pulled, from the first that is not finished on.
  void list_in_flight(const run_accounting& all);
  /// Lists the tasks that have not run for the group that the batches end in.
  void list_unfinished_groups(const run_accounting& all);
};

/// Throws `usage_error` unless all that the latest run had got through, and slots hold what it left
/// there. \p failed: it failed, and nobody has called reset() since. \p kept: nobody has touched
/// the slots since.
STRETTO_INLINE void check_kept(const run_numbers& latest, bool failed, bool kept);

/// Throws `usage_error` if a task has run for what was left of a group when the latest run ended:
/// the batches that come next would be of a group that has been ended.
[[gnu::cold]] STRETTO_INLINE void check_groups(const run_accounting& latest);

/// Which batches tasks dropped because they failed and, if that is \p all, by their verdicts. In
/// order of batches, and of tasks. Counts only failures.
[[gnu::cold]] STRETTO_INLINE failure_list list_drops(const verdict_table& verdicts,
                                                     planner::view<std::string_view> names,
                                                     planner::view<std::size_t> lag, bool all);
/// How many batches were dropped because tasks failed.
[[gnu::cold]] STRETTO_INLINE std::size_t count_dropped_failures(const verdict_table& verdicts);

/// What a pipeline knows of its latest run when that has stopped. Its report, with strings and
/// vectors, is kept from the first time on that somebody asks for it: files that never do compile
/// nothing of that.
class run_record {
 public:
  run_record() = default;
  run_record(const run_record&) = delete;
  run_record& operator=(const run_record&) = delete;
  ~run_record() {
    if (how_ != nullptr) how_->end(*this);
  }

  const run_numbers& numbers() const { return numbers_; }

  /// Before a run that \p threads host threads take part in.
  void restart(std::size_t threads);
  /// When the threads have left it. \p late: as above.
  void tell(const run_accounting& all, const ending& how, bool late) noexcept;
  /// \p through: the first batch that did not get through. Of the run's, \p dropped were withheld.
  void tell_delivered(std::size_t through, std::size_t dropped);

  /// The report, which is kept from now on. Throws std::bad_alloc if there is no memory for it.
  run_report& report(std::size_t threads, const run_accounting& all);
  /// The report, which is kept, was changed.
  void take_numbers();

 private:
  /// What is done to the report, once there is one.
  struct functions {
    void (*restart)(run_record&, std::size_t threads);
    void (*tell)(run_record&, const run_accounting&);
    void (*tell_delivered)(run_record&);
    void (*end)(run_record&);
  };
  static const functions with_report;

  kept_report& kept() { return *reinterpret_cast<kept_report*>(room_); }

  /// A run may end on one thread while another is the first to ask for the report.
  std::atomic_flag taken_;
  const functions* how_ = nullptr;
  run_numbers numbers_;
  bool stopped_ = false;
  bool late_ = false;
  alignas(kept_report) unsigned char room_[sizeof(kept_report)];
};

}  // namespace stretto::runner::detail

#if !defined(STRETTO_COMPILED)
#  include <stretto/run/record.ipp>
#endif
