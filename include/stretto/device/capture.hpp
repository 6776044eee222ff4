// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/device/context.hpp>
#include <stretto/device/obstacle.hpp>
#include <stretto/device/ordering.hpp>
#include <stretto/device/transient_slots.hpp>
#include <stretto/plan/derive/planned_graph.hpp>
#include <stretto/plan/derive/verdicts.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/stays.hpp>
#include <stretto/static/errors/body.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>
#include <type_traits>
#include <utility>

/// Which tasks of a schedule can be captured as graphs of the device.
///
/// A graph holds what consecutive tasks put on their streams, so that launching it takes the place
/// of calling their bodies. It has the addresses of the slots' copies in it, so there is one for
/// each place in the turn of the copies that its tasks use.
namespace stretto::device {

namespace detail {

template <class... Slot>
consteval bool all_stay(pack<Slot...>) {
  return (stays<typename Slot::value_type> && ...);
}

/// What no body asks for.
struct anything_else {};

template <class Schedule, class Driver>
class capture {
  static constexpr const auto& plan = plan_of<Schedule>;
  using order = ordering<Schedule>;
  using tasks = typename typed::declared<Schedule>::tasks;
  static constexpr std::size_t count = tasks::size;

  template <class Task>
  static consteval obstacle obstacle_of() {
    using fields = typed::task_fields<Task>;
    if (typed::own<typed::scalar::collective, Task>) return obstacle::collective;
    if (!typed::body<Task, stream_only<Driver>>::ok) return obstacle::context;
    // A body that takes anything may ask it for the batch.
    if (typed::body<Task, anything_else>::wants_context) return obstacle::context;
    if (any_transient(typename fields::reads{}) || any_transient(typename fields::writes{}))
      return obstacle::transient;
    if (!all_stay(typename fields::reads{}) || !all_stay(typename fields::writes{}))
      return obstacle::slot;
    return obstacle::none;
  }

  /// By task.
  static constexpr auto depend_on_drops = [] {
    std::array<bool, count> all{};
    if constexpr (plan.drops) {
      const stretto::planner::declaration& d = typed::declared<Schedule>::value;
      const stretto::planner::graph g = stretto::planner::planned_graph(d);
      const stretto::planner::verdicts v = stretto::planner::find_verdicts(d, g);
      for (std::size_t n = 0; n < count; ++n) all[n] = stretto::planner::depends_on_drops(g, v, n);
    }
    return all;
  }();

  static constexpr bool uses_rates(std::size_t n) {
    bool any = plan.runs[n].every > 1;
    const auto look = [&any](stretto::planner::view<stretto::planner::access> used) {
      for (const stretto::planner::access& a : used)
        for (std::size_t s = 0; s < plan.slot_list.size(); ++s)
          any = any || (plan.slot_list[s] == a.slot && plan.every_of(s) > 1);
    };
    look(typed::declared<Schedule>::value.tasks[n].reads);
    look(typed::declared<Schedule>::value.tasks[n].writes);
    return any;
  }

 public:
  /// By task: after how many progresses it uses the same copies again.
  static constexpr auto turns = [] {
    std::array<std::size_t, count> all{};
    const auto add = [&all](std::size_t n, stretto::planner::view<stretto::planner::access> used) {
      for (const stretto::planner::access& a : used)
        for (std::size_t s = 0; s < plan.slot_list.size(); ++s)
          if (plan.slot_list[s] == a.slot) all[n] = common_turn(all[n], plan.copies[s]);
    };
    for (std::size_t n = 0; n < count; ++n) {
      all[n] = 1;
      add(n, typed::declared<Schedule>::value.tasks[n].reads);
      add(n, typed::declared<Schedule>::value.tasks[n].writes);
    }
    return all;
  }();

  /// By task.
  static constexpr auto obstacles = []<class... Task>(pack<Task...>) {
    std::array<obstacle, sizeof...(Task)> all{obstacle_of<Task>()...};
    for (std::size_t n = 0; n < all.size(); ++n) {
      if (order::stream_of[n] == order::none) all[n] = obstacle::host_task;
      if (all[n] == obstacle::none && plan.rated && uses_rates(n)) all[n] = obstacle::rate;
      if (all[n] == obstacle::none && depend_on_drops[n]) all[n] = obstacle::drop;
      if (all[n] == obstacle::none && turns[n] > longest_turn) all[n] = obstacle::turn;
    }
    return all;
  }(tasks{});

  static constexpr bool can(std::size_t node) {
    return node < count && obstacles[node] == obstacle::none;
  }

  /// The first progress in which each batch is there that nodes captured together look back to:
  /// bodies find less before.
  template <std::size_t... Node>
  static constexpr std::size_t complete_from = [] {
    std::size_t first = 0;
    for (const std::size_t n : {Node...})
      for (const stretto::planner::access& a : typed::declared<Schedule>::value.tasks[n].reads)
        if (a.ago > 0 && plan.lag[n] + static_cast<std::size_t>(a.ago) > first)
          first = plan.lag[n] + static_cast<std::size_t>(a.ago);
    return first;
  }();
};

}  // namespace detail
}  // namespace stretto::device
