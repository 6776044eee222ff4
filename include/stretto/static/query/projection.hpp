// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/communicator.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/role.hpp>
#include <stretto/declare/schedule.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/declare/thread.hpp>
#include <stretto/declare/without.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/plan/rules/roles.hpp>
#include <stretto/static/errors/diagnosis.hpp>
#include <stretto/static/errors/parts.hpp>
#include <stretto/static/errors/roles.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

namespace stretto {

namespace typed::detail {

/// `Meant`: the role that was probably meant, if one was.
template <class Schedule, class Role, class... Meant>
struct no_such_role {
  static auto named() -> pack<invalid::no_task_of_the_schedule_has_the_role<Schedule, Role>>;
  static constexpr errors::words text() {
    errors::words told = "no task of schedule " + errors::shown<Schedule>() + " has role `" +
                         errors::words(Role::value) + "`";
    ((told += "; did you mean `" + errors::words(Meant::value) + "`?"), ...);
    return told;
  }
};

/// Why a schedule has no projection for a role, or `no_error`.
template <class Schedule, class Role>
consteval auto projection_diagnostic() {
  if constexpr (!errors::is_no_error<decltype(diagnostic<Schedule>())>) {
    return diagnostic<Schedule>();
  } else if constexpr (is_projection<Schedule>) {
    return planned_again<Schedule>{};
  } else {
    constexpr bool known = [] {
      const planner::role_judge judge(declared<Schedule>::bare);
      return judge.only(Role::value) != 0;
    }();
    constexpr std::size_t meant = [] {
      const planner::role_judge judge(declared<Schedule>::bare);
      std::size_t n = 0;
      const std::string_view nearest = judge.nearest(Role::value);
      while (n < judge.count() && judge.role(n) != nearest) ++n;
      return nearest.empty() ? planner::none : n;
    }();
    if constexpr (known) {
      return errors::no_error{};
    } else if constexpr (meant == planner::none) {
      return no_such_role<Schedule, Role>{};
    } else {
      constexpr std::size_t bearer = [] {
        const planner::role_judge judge(declared<Schedule>::bare);
        std::size_t t = 0;
        while (declared<Schedule>::bare.tasks[t].role != judge.role(meant)) ++t;
        return t;
      }();
      return no_such_role<
          Schedule, Role,
          typename declare::nth<bearer, typename declared<Schedule>::tasks>::role>{};
    }
  }
}

/// What a rank of a role has of a schedule, as numbers.
template <std::size_t Tasks, std::size_t Results>
struct part_of_role {
  std::array<bool, Tasks> has{};  ///< by task: it is among those of the rank
  std::array<bool, Results> results{};
  bool pulls = false;
};
template <std::size_t Tasks, std::size_t Results>
constexpr part_of_role<Tasks, Results> find_part(const planner::declaration& d,
                                                 std::string_view role) {
  const planner::role_judge judge(d);
  const planner::role_judge::set own = judge.only(role);
  part_of_role<Tasks, Results> part;
  for (std::size_t t = 0; t < Tasks; ++t) part.has[t] = (judge.where(d.tasks[t]) & own) != 0;
  for (std::size_t r = 0; r != Results; ++r)  // of none nvcc warns at <
    part.results[r] = (judge.having(d.results[r]) & own) != 0;
  part.pulls = (judge.pulling() & own) != 0;
  return part;
}

/// The parts of a valid schedule as a rank of a role has them. Lookaheads and the order of
/// collectives are those of the plan of all ranks, so that all make theirs in one order.
template <class Schedule, class Role>
struct projected_parts {
  using from = declared<Schedule>;
  using tasks = typename from::tasks;
  static constexpr const auto& plan = plan_of<Schedule>;
  static constexpr part_of_role<tasks::size, from::results::size> part =
      find_part<tasks::size, from::results::size>(from::bare, Role::value);

  template <bool Kept, class Type>
  using kept_if = std::conditional_t<Kept, pack<Type>, pack<>>;
  template <class... Pack>
  using all_of = decltype((pack<>{} + ... + Pack{}));

  template <class... Out>
  static auto others(pack<Out...>) {
    if constexpr (sizeof...(Out) == 0) {
      return typename Schedule::parts{};
    } else {
      return typename without<Schedule, Out...>::parts{};
    }
  }
  template <std::size_t... Index>
  static auto left_out(std::index_sequence<Index...>)
      -> all_of<kept_if<!part.has[Index], declare::nth<Index, tasks>>...>;

  /// A task that the rank has.
  template <class Task>
  static consteval auto as_here() {
    if constexpr (!declare::is_transfer<Task>) {
      return pack<Task>{};
    } else if constexpr (Task::role::value == Role::value) {
      return pack<declare::sending<Task>>{};
    } else {
      return pack<declare::receiving<Task>>{};
    }
  }

  template <class Slot, class... Placement>
  static auto source_at(pack<Placement...>) -> pack<source<Slot, Placement...>>;
  /// Batches are pulled as far ahead as on all ranks together.
  template <class... Placement>
  static auto placed_source(pack<Placement...> stated) {
    using slot = std::conditional_t<part.pulls, typename from::source_part::slot,
                                    declare::batches_of_others>;
    if constexpr (from::is_serial) {
      return decltype(source_at<slot>(stated)){};
    } else {
      return decltype(source_at<slot>(
          all_of<pack<lookahead<plan.max_lookahead>>,
                 kept_if<!declare::part_is<Placement, tag::lookahead>(), Placement>...>{})){};
    }
  }

  template <class... Slot>
  static auto result_of(pack<Slot...>)
      -> std::conditional_t<sizeof...(Slot) == 0, pack<>, pack<result<Slot...>>>;
  template <class... Slot, std::size_t... Index>
  static auto kept_results(pack<Slot...>, std::index_sequence<Index...>)
      -> decltype(result_of(all_of<kept_if<part.results[Index], Slot>...>{}));

  /// Whether some task that the rank has is on a thread.
  static consteval bool has_thread(std::string_view thread) {
    for (std::size_t t = 0; t < tasks::size; ++t)
      if (part.has[t] && planner::thread_name(from::bare.tasks[t]) == thread) return true;
    return from::bare.from.thread == thread;
  }

  template <class Part>
  static consteval auto kept() {
    using declare::part_is;
    if constexpr (part_is<Part, void>()) {
      return as_here<Part>();
    } else if constexpr (part_is<Part, tag::source>()) {
      return decltype(placed_source(typename Part::placement{})){};
    } else if constexpr (part_is<Part, tag::result>()) {
      return decltype(kept_results(typename Part::slot_list{},
                                   std::make_index_sequence<Part::slot_list::size>{})){};
    } else if constexpr (part_is<Part, tag::agreed_end>() || part_is<Part, tag::pipelined>()) {
      return pack<>{};
    } else if constexpr (part_is<Part, tag::caller_runs>()) {
      return kept_if<has_thread(Part::value), Part>{};
    } else {
      return pack<Part>{};
    }
  }

  // Behind them, the order of collectives, and before them lookaheads that were raised.
  template <std::size_t Node>
  static consteval auto ticket() {
    if constexpr (Node < tasks::size) {
      return kept_if<part.has[Node], declare::nth<Node, tasks>>{};
    } else {
      return pack<>{};
    }
  }
  template <class... Task>
  static auto order_of(pack<Task...>)
      -> std::conditional_t<(sizeof...(Task) < 2), pack<>, pack<order<Task...>>>;
  template <std::size_t... Place>
  static auto ordered(std::index_sequence<Place...>)
      -> decltype(order_of(all_of<decltype(ticket<plan.tickets[Place]>())...>{}));
  template <std::size_t Task>
  static consteval auto raised() {
    constexpr int ahead = plan.max_lookahead - static_cast<int>(plan.lag[Task]);
    return kept_if<(part.has[Task] && from::is_pipelined),
                   place<declare::nth<Task, tasks>, lookahead<ahead>>>{};
  }

  template <class... Part, std::size_t... Task>
  static auto joined(pack<Part...>, std::index_sequence<Task...>)
      -> all_of<pack<declare::projected<Schedule, Role>>, decltype(raised<Task>())...,
                decltype(kept<Part>())..., pack<agreed_end>,
                decltype(ordered(std::make_index_sequence<plan.tickets.size()>{}))>;
  using numbers = std::make_index_sequence<tasks::size>;
  using type = decltype(joined(others(decltype(left_out(numbers{})){}), numbers{}));
};

template <class Schedule, class Role>
struct projection_parts {
  static auto chosen() {
    using diagnostic = decltype(projection_diagnostic<Schedule, Role>());
    if constexpr (errors::is_no_error<diagnostic>) {
      return typename projected_parts<Schedule, Role>::type{};
    } else {
      return pack<unscheduled<diagnostic>>{};
    }
  }
  using type = decltype(chosen());
};

}  // namespace typed::detail

/// What a rank of a role runs of a schedule with roles: the tasks of the role and those of all
/// ranks, and its ends of transfers, planned as in the schedule of all ranks:
/// `stretto::pipeline<stretto::projection<job, "trainer">, mpi::collectives>`. It hands out those
/// results of the schedule that it has at the end; a rank whose role does not read the source's
/// slot runs with `follow()`. All ranks stop after the same batch, as with `agreed_end`.
///
/// An error if no task has the role, and whatever is wrong with the schedule.
template <class Schedule, fixed_string Role>
struct projection {
  using parts = typename typed::detail::projection_parts<Schedule, stretto::role<Role>>::type;
};

}  // namespace stretto
