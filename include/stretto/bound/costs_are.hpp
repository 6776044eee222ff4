// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <stretto/bound/is_optimal.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/query/end_nodes.hpp>
#include <stretto/static/query/tasks_are.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>

namespace stretto {

/// For `costs_are`: a plan was found for a task that takes `Cost`, and stays the best for as long
/// as that takes what `Range` says, in the unit of its `weight`: nothing (that cost only), the
/// least (from there on), or the least and the most. "pull" is the source.
template <fixed_string Task, long long Cost, long long... Range>
  requires(sizeof...(Range) <= 2)
struct cost_within {
  static constexpr std::string_view task = Task.view();
  static constexpr long long cost = Cost;
  static constexpr std::size_t ends = sizeof...(Range);
  static constexpr std::array<long long, 3> range{Range..., 0};
  static constexpr long long least = ends > 0 ? range[0] : Cost;
  static constexpr long long most = ends == 0   ? Cost
                                    : ends == 1 ? (std::numeric_limits<long long>::max)()
                                                : range[1];
  using told = typed::task_of_name<Task>;
};

namespace bound {

/// A `cost_within`.
template <class Type>
concept range_of_cost = requires {
  Type::least;
  Type::most;
  typename Type::told;
};

namespace detail {

/// What a diagnostic names: a task, or the source.
template <class Schedule, std::size_t Node>
struct named_node {
  using type = declare::nth<Node, typename typed::declared<Schedule>::tasks>;
};
template <class Schedule, std::size_t Node>
  requires(Node == typed::declared<Schedule>::value.tasks.size())
struct named_node<Schedule, Node> {
  using type = pull;
};

template <class Schedule, std::size_t Node, long long Now, class Within>
struct cost_is_out_of_range {
  static auto named() -> pack<invalid::a_plan_was_found_for_another_cost_of_a_task<
      Schedule, typename named_node<Schedule, Node>::type, weight<Now>, Within>>;
  static constexpr errors::words text() {
    planner::text_builder said;
    said.add(" takes ").number(Now).add(", but plan ");
    said.add(errors::shown<Schedule>().view()).add(" was found for ").number(Within::cost);
    if (Within::ends > 0) said.add(" and is the best from ").number(Within::least);
    if (Within::ends > 1) said.add(" to ").number(Within::most);
    if (Within::ends == 1) said.add(" on");
    return "task `" + errors::words(Within::task) + "`" + errors::words(said) +
           "; look for a plan again";
  }
};
template <class Schedule, std::size_t First, std::size_t Second>
struct costs_have_changed {
  static auto named() -> pack<invalid::a_plan_was_found_for_other_costs_of_several_tasks<
      Schedule, typename named_node<Schedule, First>::type,
      typename named_node<Schedule, Second>::type>>;
  static constexpr errors::words text() {
    return "tasks `" + name<First>() + "` and `" + name<Second>() + "` take other than what plan " +
           errors::shown<Schedule>() +
           " was found for, each within its range, but it is proved to be the best for one of "
           "them alone; look for a plan again";
  }

 private:
  template <std::size_t Node>
  static constexpr errors::words name() {
    return errors::words(planner::node_name(typed::declared<Schedule>::value, Node));
  }
};

/// Of ranges that were told: the first of no task, the first whose task takes what is out of it,
/// and the first two whose tasks take other than a plan was found for; `none` each if there is
/// none.
struct changed_costs {
  struct range {
    std::string_view task;
    long long cost = 0;
    long long least = 0;
    long long most = 0;
  };
  struct change {
    std::size_t told = planner::none;
    std::size_t node = planner::none;
    int now = 0;
  };
  std::size_t gone = planner::none;
  change out{};
  change first{};
  change second{};

  constexpr changed_costs(const planner::declaration& d, planner::view<range> ranges) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      const range& r = ranges[i];
      std::size_t node = 0;
      while (node < d.tasks.size() && d.tasks[node].id.text != r.task) ++node;
      const bool is_task = node < d.tasks.size();
      if (!is_task && r.task != planner::pull_name) {
        if (gone == planner::none) gone = i;
        continue;
      }
      const change found{i, node, is_task ? d.tasks[node].weight : d.from.weight};
      if ((found.now < r.least || r.most < found.now) && out.told == planner::none) out = found;
      if (found.now == r.cost) continue;
      if (first.told == planner::none) {
        first = found;
      } else if (second.told == planner::none && first.node != node) {
        second = found;
      }
    }
  }
};

template <class Schedule, class... Within>
consteval auto changed_costs_diagnostic() {
  if constexpr (!requires { typename Schedule::parts; }) {
    return errors::no_schedule<Schedule>{};
  } else {
    constexpr std::array<changed_costs::range, sizeof...(Within)> told{
        changed_costs::range{Within::task, Within::cost, Within::least, Within::most}...};
    constexpr changed_costs changed(typed::declared<Schedule>::value, {told.data(), told.size()});
    using all = pack<Within...>;
    if constexpr (changed.gone != planner::none) {
      return typed::task_is_gone<Schedule, typename declare::nth<changed.gone, all>::told>{};
    } else if constexpr (changed.out.told != planner::none) {
      return cost_is_out_of_range<Schedule, changed.out.node, changed.out.now,
                                  declare::nth<changed.out.told, all>>{};
    } else if constexpr (changed.second.told != planner::none) {
      // Each range is for one task that changes, unless the compiler proves what holds for all.
      if constexpr (is_optimal<Schedule>()) {
        return errors::no_error{};
      } else {
        return costs_have_changed<Schedule, changed.first.node, changed.second.node>{};
      }
    } else {
      return errors::no_error{};
    }
  }
}

}  // namespace detail

}  // namespace bound

/// That tasks of a schedule, and its source, take by their weights what a plan was found for: each
/// `cost_within` its range, and if several take other than that, so that `is_optimal` proves the
/// plan to be the best. True, or a compile error that names the first task that does not, what it
/// takes and its range. For the code that `search::as_replan` makes.
template <class Schedule, bound::range_of_cost... Within>
inline constexpr bool costs_are =
    (static_cast<void>(
         errors::emit_error<
             decltype(bound::detail::changed_costs_diagnostic<Schedule, Within...>())>::value),
     true);

}  // namespace stretto
