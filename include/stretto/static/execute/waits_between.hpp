// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/static/query/plan_of.hpp>

namespace stretto::detail {

/// The waits between threads when they meet after every progress.
template <class Schedule, bool Meets>
struct waits_between {
  static constexpr const auto& all = plan_of<Schedule>.host_waits;
  static constexpr planner::range of(std::size_t node) { return plan_of<Schedule>.waits_of[node]; }
  static constexpr bool awaited(std::size_t node) { return plan_of<Schedule>.awaited[node]; }
};

/// The waits between threads that run ahead of each other.
template <class Schedule>
struct waits_between<Schedule, false> {
  static constexpr const auto& all = plan_of<Schedule>.run_ahead_waits;
  static constexpr planner::range of(std::size_t node) {
    return plan_of<Schedule>.run_ahead_waits_of[node];
  }
  static constexpr bool awaited(std::size_t node) {
    return plan_of<Schedule>.run_ahead_awaited[node];
  }
};

}  // namespace stretto::detail
