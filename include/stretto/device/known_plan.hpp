// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/plan/model/edge.hpp>
#include <stretto/plan/model/plan.hpp>
#include <stretto/plan/model/view.hpp>
#include <string_view>

namespace stretto::device::detail {

/// A plan that is a value, as far as a device has to know it.
struct known_plan {
  const planner::plan& value;
  planner::view<char> asks{};  ///< by task: whether its body asks for its stream
  /// By task: the `kept_list` of what the handle refers to that its body asks for; null: for none.
  planner::view<const void*> kept{};
  planner::view<std::string_view> names{};  ///< of those tasks
  planner::view<char> transient{};          ///< by slot: whether its memory is

  // For graphs.

  planner::view<char> knows_batch{};  ///< by task: whether its body may ask for its batch
  planner::view<char> collective{};   ///< by task
  planner::view<char> stays{};        ///< by slot: whether its memory does
  planner::view<char> drops{};  ///< by task: whether it has to do with batches that others dropped
  planner::view<planner::edge> run_ahead{};  ///< the waits between threads that run ahead
};

}  // namespace stretto::device::detail
