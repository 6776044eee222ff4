// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
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

}  // namespace stretto
