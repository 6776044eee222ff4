// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/role.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/text_builder.hpp>
#include <stretto/plan/rules/roles.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>

/// Schedules that differ by rank.
namespace stretto::typed::detail {

/// Whether a schedule is what one rank of several runs.
template <class Schedule>
inline constexpr bool is_projection = declared<Schedule>::has_part(declare::mark<tag::projected>);
/// Whether it is that of all ranks, which differ.
template <class Schedule>
inline constexpr bool is_of_roles =
    !is_projection<Schedule> && planner::has_roles(declared<Schedule>::bare);

// A function of its own: nvcc evaluates a constant of a template as soon as it reads it.
template <class Schedule>
consteval planner::role_finding found_of_roles() {
  if constexpr (is_of_roles<Schedule>) {
    return planner::check_roles(declared<Schedule>::bare);
  } else {
    return {};
  }
}

/// The type of a task by number; of another node that of the schedule.
template <class Schedule, std::size_t Node>
consteval auto task_or_schedule() {
  using tasks = typename declared<Schedule>::tasks;
  if constexpr (Node < tasks::size) {
    return pack<declare::nth<Node, tasks>>{};
  } else {
    return pack<Schedule>{};
  }
}

/// A text as a type.
template <std::string_view (*Text)()>
using role_of = role<fixed_string<Text().size() + 1>(Text())>;

template <class Schedule>
struct misused_roles {
 private:
  static constexpr planner::role_finding found = found_of_roles<Schedule>();
  static constexpr std::string_view lacking() {
    return found.role.empty() ? std::string_view("?") : found.role;
  }

  template <class Task, class Other, class Role>
  static auto named_with(pack<Task>, pack<Other>, pack<Role>) {
    using planner::role_misuse;
    // clang-format off
    if constexpr (found.what == role_misuse::grouped) return pack<invalid::a_schedule_with_roles_has_a_queue_or_workers<Schedule>>{};
    else if constexpr (found.what == role_misuse::too_many) return pack<invalid::a_schedule_has_more_than_64_roles<Schedule>>{};
    else if constexpr (found.what == role_misuse::unknown) return pack<invalid::a_transfer_names_a_role_that_no_task_has<Task, Role>>{};
    else if constexpr (found.what == role_misuse::to_itself) return pack<invalid::a_transfer_names_a_role_twice<Task, Role>>{};
    else if constexpr (found.what == role_misuse::among_others) return pack<invalid::a_transfer_names_a_communicator<Task>>{};
    else if constexpr (found.what == role_misuse::of_view) return pack<invalid::a_transfer_is_of_values_that_view_into_other_slots<Task>>{};
    else if constexpr (found.what == role_misuse::two_sources) return pack<invalid::the_slot_of_the_source_is_read_by_tasks_of_two_roles<Task, Other>>{};
    else if constexpr (found.what == role_misuse::unwritten) return pack<invalid::a_transfer_is_of_a_slot_that_no_task_writes_before<Task>>{};
    else if constexpr (found.what == role_misuse::sent_by_stranger) return pack<invalid::a_transfer_is_from_a_role_that_does_not_have_the_slot<Task, Other>>{};
    else if constexpr (found.what == role_misuse::needless) return pack<invalid::a_transfer_is_to_a_role_that_has_the_slot<Task, Role>>{};
    else if constexpr (found.what == role_misuse::read_elsewhere) return pack<invalid::a_task_reads_a_slot_that_is_on_ranks_of_another_role<Task, Role, Other>>{};
    else if constexpr (found.what == role_misuse::updated_elsewhere) return pack<invalid::a_task_updates_a_slot_that_is_on_ranks_of_another_role<Task, Role, Other>>{};
    else if constexpr (found.what == role_misuse::depends_across) return pack<invalid::a_task_depends_on_one_of_another_role<Task, Other>>{};
    else if constexpr (found.what == role_misuse::ordered_across) return pack<invalid::an_order_has_tasks_of_two_roles_next_to_each_other<Task, Other>>{};
    else return pack<invalid::tasks_of_two_roles_use_a_resource_that_one_of_them_changes<Task, Other>>{};
    // clang-format on
  }

 public:
  static auto named() {
    return named_with(task_or_schedule<Schedule, found.task>(),
                      task_or_schedule<Schedule, found.other>(), pack<role_of<lacking>>{});
  }
  static constexpr errors::words text() {
    planner::text_builder told;
    planner::add_sentence(told, declared<Schedule>::bare, found);
    return errors::words(told);
  }
};

/// What is wrong with the roles of a schedule that is fine otherwise, or `no_error`.
template <class Schedule>
consteval auto roles_diagnostic() {
  constexpr planner::role_misuse what = found_of_roles<Schedule>().what;
  if constexpr (what == planner::role_misuse::sound) {
    return errors::no_error{};
  } else {
    return misused_roles<Schedule>{};
  }
}

}  // namespace stretto::typed::detail
