// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/device/ordering.hpp>
#include <stretto/device/transient.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/order/last_users.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/constant_plan.hpp>

namespace stretto::device::detail {

template <class... Slot>
consteval bool any_transient(pack<Slot...>) {
  return (is_transient<typename Slot::value_type> || ...);
}

/// The transient slots of a schedule, as constants: where their copies are among all that a
/// pipeline has, and after whom their memory is given back.
template <class Schedule>
class transient_slots {
  static constexpr const auto& plan = plan_of<Schedule>;
  using order = ordering<Schedule>;
  static constexpr std::size_t count = plan.slot_list.size();

  template <class... Slot>
  static constexpr void mark([[maybe_unused]] std::array<bool, count>& all, pack<Slot...>) {
    (mark_one<is_transient<typename Slot::value_type>>(all, name_of<Slot>), ...);
  }
  template <bool Transient>
  static constexpr void mark_one(std::array<bool, count>& all, const name& slot) {
    if constexpr (Transient)
      for (std::size_t s = 0; s < count; ++s)
        if (plan.slot_list[s] == slot) all[s] = true;
  }
  template <class... Task>
  static consteval bool any_of(pack<Task...>) {
    return ((any_transient(typename typed::task_fields<Task>::reads{}) ||
             any_transient(typename typed::task_fields<Task>::writes{})) ||
            ...);
  }
  using tasks = typename typed::declared<Schedule>::tasks;

  static constexpr stretto::planner::graph graph() {
    return stretto::planner::make_graph(typed::declared<Schedule>::value);
  }

 public:
  static constexpr bool any = any_of(tasks{});

  /// By slot.
  static constexpr std::array<bool, count> is = []<class... Task>(pack<Task...>) {
    std::array<bool, count> all{};
    (mark(all, typename typed::task_fields<Task>::reads{}), ...);
    (mark(all, typename typed::task_fields<Task>::writes{}), ...);
    return all;
  }(tasks{});

  /// By slot: the place of the first of its copies.
  static constexpr std::array<std::size_t, count + 1> first = [] {
    std::array<std::size_t, count + 1> all{};
    for (std::size_t s = 0; s < count; ++s) all[s + 1] = all[s] + (is[s] ? plan.copies[s] : 0);
    return all;
  }();
  static constexpr std::size_t copies = first[count];
  /// The place of the copy that a node uses in a progress.
  static constexpr std::size_t copy(std::size_t slot, std::size_t node, std::size_t progress) {
    return first[slot] + (progress - plan.lag[node]) / plan.every_of(slot) % plan.copies[slot];
  }

  /// By slot: the task after which its memory is given back; none: it is when the copy is filled
  /// anew, or the slot is not transient.
  static constexpr std::array<std::size_t, count> last_user = [] {
    std::array<std::size_t, count> all{};
    const stretto::planner::list<std::size_t> found =
        stretto::planner::last_users(typed::constant_plan<Schedule>::read(), graph());
    for (std::size_t s = 0; s < count; ++s) all[s] = is[s] ? found[s] : stretto::planner::none;
    return all;
  }();

  /// Whether a node is the last to use a transient slot, or fills one.
  static constexpr bool ends(std::size_t node) {
    for (const std::size_t last : last_user)
      if (last == node) return true;
    return false;
  }
  static constexpr bool fills(std::size_t node) {
    for (std::size_t s = 0; s < count; ++s)
      if (is[s] && plan.fillers[s] == node) return true;
    return false;
  }

  /// Whether only tasks on streams use them.
  static constexpr bool on_streams_only = [] {
    const stretto::planner::graph g = graph();
    const auto elsewhere = [](const stretto::planner::list<stretto::planner::use>& uses) {
      for (const stretto::planner::use& u : uses)
        if (is[u.slot] && (u.node >= plan.tasks || order::stream_of[u.node] == order::none))
          return true;
      return false;
    };
    return !elsewhere(g.reads) && !elsewhere(g.writes);
  }();
  /// Whether tasks use them that run at the end for what is left of a group: the memory of the last
  /// batch may be given back by then.
  static constexpr bool used_at_end = [] {
    const stretto::planner::graph g = graph();
    bool found = false;
    for (const auto* const uses : {&g.reads, &g.writes})
      for (const stretto::planner::use& u : *uses)
        found = found || (is[u.slot] && g.nodes[u.node].runs.at_end);
    return found;
  }();
};

}  // namespace stretto::device::detail
