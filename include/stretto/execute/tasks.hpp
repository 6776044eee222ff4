// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <boost/hana/tuple.hpp>
#include <cstddef>
#include <stretto/execute/machine.hpp>
#include <stretto/static/invalid.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto::detail {

/// Instantiating this for an object that is no task of the schedule is the compile error.
template <class Object, class Schedule, bool Ok>
struct checked_object : std::true_type {};
template <class Object, class Schedule>
struct checked_object<Object, Schedule, false> : std::false_type {
  static_assert(
      sizeof(invalid::an_object_was_passed_that_is_no_task_of_the_schedule<Object, Schedule>) > 0);
};

/// Instantiating this for a task that must be passed and was not is the compile error.
template <class Task, bool Ok>
struct checked_state : std::true_type {};
template <class Task>
struct checked_state<Task, false> : std::false_type {
  static_assert(sizeof(invalid::a_task_holds_state_and_was_not_passed_to_the_pipeline<Task>) > 0);
};

template <class Task, class... Object>
concept passed = (std::is_same_v<Task, std::remove_cvref_t<Object>> || ...);

template <class Object, class... Task>
concept one_of = (std::is_same_v<Task, Object> || ...);

/// The tasks of a schedule: those passed, and the others default-constructed.
template <class Schedule, class... Task, class... Object>
auto make_tasks(pack<Task...>, Object&&... objects) {
  constexpr bool ok =
      (checked_object<std::remove_cvref_t<Object>, Schedule,
                      one_of<std::remove_cvref_t<Object>, Task...>>::value &&
       ...) &&
      (checked_state < Task,
       passed<Task, Object...> || std::is_default_constructible_v < Task >> ::value && ...);
  if constexpr (ok) {
    [[maybe_unused]] auto given = std::forward_as_tuple(std::forward<Object>(objects)...);
    const auto take = [&]<class T>(pack<T>) -> T {
      if constexpr (passed<T, Object...>) {
        constexpr std::size_t place = [] {
          std::size_t at = 0;
          bool found = false;
          ((found = found || std::is_same_v<T, std::remove_cvref_t<Object>>, at += found ? 0U : 1U),
           ...);
          return at;
        }();
        return std::get<place>(std::move(given));
      } else {
        return T{};
      }
    };
    return boost::hana::tuple<Task...>{take(pack<Task>{})...};
  }
}

}  // namespace stretto::detail
