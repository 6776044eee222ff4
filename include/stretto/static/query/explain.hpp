// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/plan/order/effects.hpp>
#include <stretto/plan/order/fewest_waits.hpp>
#include <stretto/plan/text/explain.hpp>
#include <stretto/static/query/end_nodes.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/checked_rules.hpp>
#include <stretto/static/values/constant_plan.hpp>
#include <string>
#include <type_traits>

namespace stretto {

namespace typed::detail {

/// The number of a task, of `pull` or of `deliver`.
template <class Schedule, class Task>
consteval std::size_t node_of() {
  using tasks = typename declared<Schedule>::tasks;
  if constexpr (std::is_same_v<Task, pull>) {
    return tasks::size;
  } else if constexpr (std::is_same_v<Task, deliver>) {
    return tasks::size + 1;
  } else {
    constexpr auto all = names(tasks{});
    constexpr std::size_t place = [&] {
      std::size_t at = 0;
      while (at < all.size() && !(all[at] == name_of<Task>)) ++at;
      return at;
    }();
    static_assert(place < tasks::size, "no task of this schedule");
    return place;
  }
}

/// What orders the effects of a schedule's tasks, a constant. Of one with races, too.
template <class Schedule>
struct explained {
 private:
  static constexpr bool kept_rules = checked_rules<declared<Schedule>>::kept;
  static_assert(
      (static_cast<void>(std::conditional_t<kept_rules, std::true_type, checked<Schedule>>::value),
       true));
  // After the compile error of a broken schedule no other follows.
  using sound = std::conditional_t<kept_rules, Schedule, schedule<>>;
  using made = planned<sound>;

  static constexpr std::size_t most = made::size.edges + 3 * made::nodes;
  struct kept {
    std::array<planner::edge, most> edges{};
    std::size_t count = 0;
  };
  static constexpr kept value = [] {
    kept k{};
    const planner::plan p = constant_plan<sound>::read();
    const planner::effects order = planner::make_effects(p.resolved, p.order, p.edges, p.threads);
    for (const planner::edge& e : order.edges) k.edges[k.count++] = e;
    return k;
  }();

 public:
  static constexpr planner::view<planner::edge> effects{value.edges.data(), value.count};
  static constexpr planner::plan_view plan = [] {
    planner::plan_view p{declared<Schedule>::value};
    p.slot_list = made::value.slot_list;
    p.max_lookahead = made::value.max_lookahead;
    p.lag = made::value.lag;
    return p;
  }();
};

}  // namespace typed::detail

/// Whether every run of `Before`, `Delta` progresses before a run of `After`, comes before it
/// whatever threads and streams do.
template <class Schedule, class Before, class After, int Delta = 0>
inline constexpr bool ordered = [] {
  // Named, because Clang 16 forgets to end temporaries in a constant's initializer.
  const planner::plan p = typed::constant_plan<Schedule>::read();
  const planner::happens_before order = planner::effect_order(p);
  return order.ordered(typed::detail::node_of<Schedule, Before>(),
                       typed::detail::node_of<Schedule, After>(), Delta);
}();

/// Why a run of one task comes before a run of another, a chain of edges with the reason for each,
/// or that nothing orders them: as text for a person. Any of the two may be `pull` or `deliver`.
/// A schedule that breaks a rule is an error; one with races is not.
template <class Schedule, class Before, class After>
[[gnu::cold]] std::string explain(int delta = 0) {
  return planner::explain(
      typed::detail::explained<Schedule>::plan, typed::detail::explained<Schedule>::effects,
      typed::detail::node_of<Schedule, Before>(), typed::detail::node_of<Schedule, After>(), delta);
}

/// The fewest waits between streams that, with the streams' own order, keep every edge of the plan.
/// (The full list is `plan_of<Schedule>.stream_waits`.)
template <class Schedule>
inline constexpr const auto& minimal_stream_waits = plan_of<Schedule>.streams.edges;

}  // namespace stretto
