// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/derive/begun_calls.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/model/algorithm.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/run/session/begun_call_names.hpp>
#include <stretto/static/query/plan_of.hpp>

namespace stretto::typed::detail {

/// Who begins the calls of tasks that are coroutines, and where.
template <class Schedule>
struct begun_calls {
  static constexpr const auto& plan = plan_of<Schedule>;

  static constexpr std::size_t count = [] {
    std::size_t all = 0;
    for (std::size_t n = 0; n < plan.tasks; ++n)
      if (planner::suspends(declared<Schedule>::value, n)) ++all;
    return all;
  }();
  /// The groups that threads run.
  static constexpr std::size_t groups = plan.threads - count;

  /// By group, from `groups` on.
  static constexpr auto all = [] {
    std::array<planner::begun_call, count> found{};
    if constexpr (count > 0) {
      // Named, because nvcc cannot print it as an argument.
      const planner::beginning known{plan.order, plan.chained, plan.chains, plan.begun_by,
                                     plan.pull};
      const planner::list<planner::begun_call> calls = planner::begun_calls(known);
      planner::copy_items(calls, found.data());
    }
    return found;
  }();
};

/// A call of a task that is a coroutine.
template <class Machine, class Moment>
struct call_at {
  Machine* machine;
  Moment at;
};
template <class Call, std::size_t Count>
struct calls_under_way {
  std::array<runner::begun_calls<Call>, Count> of;
  void restart(std::size_t progress) {
    for (auto& each : of) each.restart(progress);
  }
};
template <class Call>
struct calls_under_way<Call, 0> {
  static void restart(std::size_t) {}
};

}  // namespace stretto::typed::detail
