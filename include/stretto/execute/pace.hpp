// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/part.hpp>
#include <stretto/plan/edge.hpp>
#include <stretto/static/plan_of.hpp>

namespace stretto {

/// Pipeline option: threads run ahead of each other as far as the plan's edges and the copies of
/// the slots allow (the default). No more batches are in flight than with a barrier.
struct run_ahead {
  using stretto_part = part::pace;
  static constexpr bool meets = false;
};

/// Pipeline option: all threads meet after every progress. Between progresses nothing runs, so the
/// user's own loop may touch what tasks use.
struct barrier {
  using stretto_part = part::pace;
  static constexpr bool meets = true;
};

namespace detail {

/// The waits between threads when they meet after every progress.
template <class Schedule, bool Meets>
struct waits_between {
  static constexpr const auto& all = plan_of<Schedule>.host_waits;
  static constexpr plan::range of(std::size_t node) { return plan_of<Schedule>.waits_of[node]; }
  static constexpr bool awaited(std::size_t node) { return plan_of<Schedule>.awaited[node]; }
};

/// The waits between threads that run ahead of each other.
template <class Schedule>
struct waits_between<Schedule, false> {
  static constexpr const auto& all = plan_of<Schedule>.run_ahead_waits;
  static constexpr plan::range of(std::size_t node) {
    return plan_of<Schedule>.run_ahead_waits_of[node];
  }
  static constexpr bool awaited(std::size_t node) {
    return plan_of<Schedule>.run_ahead_awaited[node];
  }
};

}  // namespace detail
}  // namespace stretto
