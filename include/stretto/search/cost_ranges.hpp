// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <initializer_list>
#include <optional>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/find_schedule.hpp>
#include <string>
#include <vector>

namespace stretto::search {

/// What a task may take, all others taking what they do, so that no schedule within the limits has
/// a shorter period than the one that was found.
struct cost_range {
  std::string task{};
  long long cost = 0;                ///< what it is taken to take
  long long least = 0;               ///< proved from there on
  std::optional<long long> most{0};  ///< up to there; none: however long
  // Of a cost that was measured: from where to where most of its times were; 0 and 0: not known.
  long long measured_least = 0;
  long long measured_most = 0;

  /// Whether the schedule is proved to be the best for all of these, one task at a time.
  bool holds_as_measured() const {
    return measured_most == 0 || (least <= measured_least && (!most || measured_most <= *most));
  }
};

/// For each task of a schedule that was found, how much its cost may change before another schedule
/// may be better. \p costs: those that it was found by. Nothing if the schedule is not proved to be
/// the best: then another one may be better as it is. Throws `usage_error` if it was found for a
/// device.
STRETTO_INLINE std::vector<cost_range> cost_ranges(const found_schedule& found,
                                                   planner::view<task_cost> costs);
inline std::vector<cost_range> cost_ranges(const found_schedule& found,
                                           std::initializer_list<task_cost> costs = {}) {
  return cost_ranges(found, planner::view<task_cost>(costs.begin(), costs.size()));
}

/// A line for each task, for people.
STRETTO_INLINE std::string to_text(const std::vector<cost_range>& ranges);

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/cost_ranges.ipp>
#endif
