// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/static/query/overlaps.hpp>
#include <stretto/static/query/plan_of.hpp>

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
template <class Schedule>
consteval bool works_in_turn_unasked() {
  constexpr const auto& plan = plan_of<Schedule>;
  constexpr bool looks_ahead = [] {
    for (std::size_t n = 1; n < plan.tasks; ++n)
      if (plan.lag[n] != plan.lag[0]) return true;
    return false;
  }();
  // Schedules that look ahead are not asked more, because that takes time to compile.
  if constexpr (works_in_turn<Schedule> || plan.threads == 1 || looks_ahead)
    return false;
  else
    return overlap_as<Schedule>.threads > 1 && !overlap_as<Schedule>.some;
}

}  // namespace typed::detail

}  // namespace stretto
