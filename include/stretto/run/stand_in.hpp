// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/run/value_type.hpp>
#include <string_view>
#include <vector>

/// What an observer is asked and told that may stand in for the bodies of tasks. Of a pipeline
/// without one nothing of this is compiled.
namespace stretto::runner {

/// A slot that a task writes.
struct written_slot {
  std::string_view name;
  value_type type;
};

/// What who stands in for a task has to know of it.
struct replaceable_task {
  std::size_t number = 0;
  const planner::task* declared = nullptr;
  value_type type;                   ///< of its callable
  void* object = nullptr;            ///< which that is
  bool is_const = false;             ///< its call operator changes nothing of it
  bool is_shared = false;            ///< several workers may call it at once
  std::vector<written_slot> writes;  ///< as `stand_in` and `body_done` get them
};

/// An observer that has, besides what observers have,
///
///     knows_task<Task, Value...>()                of types: a task's, and those of what it writes
///     replaces(task, declaration)                 before anything runs, for each task
///     bool stand_in(thread, task, batch, written) in place of the body; false: it is to be called
///     body_done(thread, task, batch, written)     after the body, before anybody is told of that
///
/// between `started` and `finished`, on the thread that runs the task. `written` are the addresses
/// of the values that it writes. Neither is called of a collective or of what a graph launches.
template <class Observer>
concept replaces_bodies =
    requires(Observer& o, const replaceable_task& task, const planner::declaration& d,
             std::size_t n, std::span<void* const> written) {
      o.replaces(task, d);
      { o.stand_in(n, n, n, written) } -> std::same_as<bool>;
      o.body_done(n, n, n, written);
    };

}  // namespace stretto::runner
