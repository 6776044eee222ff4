// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <stretto/declare/communicator.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <string_view>
#include <utility>

namespace stretto {

namespace typed::detail {

template <class Task>
consteval std::string_view communicator_of(const planner::task& declared) {
  if constexpr (own<scalar::collective, Task> && requires { typename Task::communicator; })
    static_assert(has_communicator<Task>,
                  "a task's communicator is stretto::communicator<\"name\">");
  return planner::communicator_of(declared);
}

template <class Task>
consteval std::span<const std::string_view> further_communicators_of_task() {
  if constexpr (own<scalar::collective, Task> && requires { Task::communicator::further; }) {
    return Task::communicator::further;
  } else {
    return {};
  }
}

template <class... Task>
consteval std::array<std::span<const std::string_view>, sizeof...(Task)> further_communicators_of(
    pack<Task...>) {
  return {further_communicators_of_task<Task>()...};
}

template <class Schedule, class... Task, std::size_t... Index>
consteval std::array<std::string_view, sizeof...(Task)> communicators_of(
    pack<Task...>, std::index_sequence<Index...>) {
  return {communicator_of<Task>(declared<Schedule>::value.tasks[Index])...};
}

}  // namespace typed::detail

/// By task: the name of the communicator of a collective; empty for other tasks.
template <class Schedule>
inline constexpr auto communicator_names = typed::detail::communicators_of<Schedule>(
    typename typed::declared<Schedule>::tasks{},
    std::make_index_sequence<typed::declared<Schedule>::tasks::size>{});

/// By task: the names of the further communicators of a collective that is over several.
template <class Schedule>
inline constexpr auto further_communicator_names =
    typed::detail::further_communicators_of(typename typed::declared<Schedule>::tasks{});

namespace typed {

/// Whether each collective is among the ranks of one communicator.
template <class Schedule>
inline constexpr bool has_one_communicator_each = [] {
  for (const auto& further : further_communicator_names<Schedule>)
    if (!further.empty()) return false;
  return true;
}();

}  // namespace typed
}  // namespace stretto
