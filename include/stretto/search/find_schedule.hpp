// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stretto/bound/costs.hpp>
#include <stretto/compiled/linkage.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/plan/layout/period.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/search/least_period.hpp>
#include <stretto/search/limits.hpp>
#include <stretto/search/solve.hpp>
#include <string>
#include <vector>

namespace stretto::search {

/// A schedule that was found, and what is known of better ones.
struct found_schedule {
  dynamic::schedule schedule{};  ///< lookaheads, threads, order, copies and source's lookahead set
  planner::ratio period{};       ///< the time per progress: `bound_of` the schedule says the same
  planner::ratio least{};        ///< no schedule within the limits has a shorter one
  proof::why reason = proof::why::none;  ///< why not
  std::vector<std::string> because{};    ///< the tasks of that load or cycle, by name
  std::string busy{};                    ///< the thread or stream that is busy with them
  int share = 0;                         ///< as many of a crowd are on one thread, at least
  std::int64_t bytes = 0;                ///< of all copies of slots whose size is known
  std::int64_t least_bytes = 0;          ///< none of this period takes fewer; 0: not known
  int in_flight = 1;                     ///< batches
  int most_in_flight = 0;                ///< `least` is that of schedules with no more
  bool fewest_in_flight = false;         ///< none of this period and as many bytes has fewer
  /// If each task took a tenth longer, one at a time, which part of that would make no progress
  /// longer: from 0 to 1. Not known of more than 2,000 tasks.
  std::optional<planner::ratio> spare{};
  /// How often, in a progress, a thread has to wait for what another one has done.
  int hand_overs = 0;
  long long steps = 0;     ///< that the search took
  bool on_device = false;  ///< streams were a device's: `because` and `busy` are of both kinds

  bool optimal() const { return !(least < period); }
  /// Whether `least` might be less of schedules with more batches in flight.
  bool least_goes_by_in_flight() const;

  /// All of that as text for people.
  std::string text() const;
};

/// Looks for the lookaheads, threads and order of a schedule's tasks that give the shortest time
/// per progress when threads run ahead of each other; at that, the fewest bytes of copies; at both,
/// the fewest batches in flight; at all three for much to `spare` and few `hand_overs`. Tasks take
/// their weights, or what \p costs say; \p within limits what is looked for, \p how the time.
/// Throws `usage_error` if costs or limits name what there is not, or nothing keeps them all, and
/// `dynamic::schedule_error` if the schedule itself is invalid.
STRETTO_INLINE found_schedule find_schedule(const dynamic::schedule& s,
                                            planner::view<task_cost> costs,
                                            const limits& within = {}, const effort& how = {});
inline found_schedule find_schedule(const dynamic::schedule& s,
                                    std::initializer_list<task_cost> costs = {},
                                    const limits& within = {}, const effort& how = {}) {
  return find_schedule(s, planner::view<task_cost>(costs.begin(), costs.size()), within, how);
}

}  // namespace stretto::search

#if !defined(STRETTO_COMPILED)
#  include <stretto/search/find_schedule.ipp>
#endif
