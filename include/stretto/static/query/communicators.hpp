// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <stretto/declare/communicator.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <string_view>

namespace stretto {

namespace typed::detail {

template <class Task>
consteval std::string_view own_communicator() {
  if constexpr (!own<scalar::collective, Task>) {
    return {};
  } else if constexpr (requires { typename Task::communicator; }) {
    static_assert(declare::part_is<typename Task::communicator, tag::communicator>(),
                  "a task's communicator is stretto::communicator<\"name\">");
    return Task::communicator::value;
  } else {
    return "world";
  }
}

template <class Task>
consteval std::span<const std::string_view> further_communicators_of_task() {
  if constexpr (own_communicator<Task>().empty()) {
    return {};
  } else if constexpr (requires { Task::communicator::further; }) {
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

template <class... Task>
consteval std::array<std::string_view, sizeof...(Task)> communicators_of(pack<Task...>) {
  return {own_communicator<Task>()...};
}

}  // namespace typed::detail

/// By task: the name of the communicator of a collective; empty for other tasks.
template <class Schedule>
inline constexpr auto communicator_names =
    typed::detail::communicators_of(typename typed::declared<Schedule>::tasks{});

/// By task: the names of the further communicators of a collective that is over several.
template <class Schedule>
inline constexpr auto further_communicator_names =
    typed::detail::further_communicators_of(typename typed::declared<Schedule>::tasks{});

}  // namespace stretto
