// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/plan/layout/overlap.hpp>
#include <stretto/static/query/overlaps.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>

namespace stretto {

/// Whether it is meant that the threads of a schedule work in turn: one is there because a library
/// or a window asks for it, say, and not to save time. If it is not, compilers warn where a
/// pipeline is made of a schedule whose threads overlap nothing. For a schedule of yours, after its
/// definition and before its pipeline: `template <> inline constexpr bool
/// stretto::works_in_turn<service> = true;`.
template <class Schedule>
inline constexpr bool works_in_turn = false;

namespace typed::detail {

/// Whether to warn that threads work in turn though nobody said that they should.
enum class turn_warning {
  none,
  overlaps_nothing,
  found_within_one_batch,  ///< by `scheduled`, which nobody told that there may be more in flight
  found_in_turn            ///< by `scheduled`
};
template <class Schedule>
consteval turn_warning turn_warning_of() {
  using from = declared<Schedule>;
  constexpr const auto& plan = plan_of<Schedule>;
  constexpr bool looks_ahead = [] {
    for (std::size_t n = 1; n < plan.tasks; ++n)
      if (plan.lag[n] != plan.lag[0]) return true;
    return false;
  }();
  constexpr bool was_found = from::has_part(declare::mark<tag::scheduled_within>);
  // Schedules that look ahead are not asked more, because that takes time to compile.
  if constexpr (works_in_turn<Schedule> || plan.threads == 1 || looks_ahead || plan.tasks < 2) {
    return turn_warning::none;
  } else {
    constexpr planner::overlap found = overlap_as<Schedule>;
    if (found.some) return turn_warning::none;
    const bool in_turn = found.threads > 1;
    if constexpr (was_found) {
      using within = declare::first<tag::scheduled_within, typename from::parts>;
      if (!within::told && within::in_flight == 1) return turn_warning::found_within_one_batch;
      return in_turn ? turn_warning::found_in_turn : turn_warning::none;
    } else {
      return in_turn ? turn_warning::overlaps_nothing : turn_warning::none;
    }
  }
}

}  // namespace typed::detail

}  // namespace stretto
