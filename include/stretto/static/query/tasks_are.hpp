// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/plan/model/graph.hpp>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/static/values/declared.hpp>
#include <string_view>

namespace stretto {

namespace typed {

/// The name of a task that may be gone.
template <fixed_string Task>
struct task_of_name {
  static constexpr std::string_view value = Task.view();
  template <class Schedule>
  using gone = pack<invalid::a_plan_was_found_with_a_task_that_is_gone<Schedule, Task>>;
};
template <class Schedule, class Task>
struct task_is_gone {
  static auto named() -> typename Task::template gone<Schedule>;
  static constexpr errors::words text() {
    return "task `" + errors::words(Task::value) + "`, with which plan " +
           errors::shown<Schedule>() +
           " was found, is none of its tasks any more; look for a plan again";
  }
};

namespace detail {

template <class Schedule, class Task>
struct task_came_in {
  static auto named() -> pack<invalid::a_plan_was_found_before_a_task_came_in<Schedule, Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() + " came in after plan " + errors::shown<Schedule>() +
           " was found; look for a plan again";
  }
};

/// The first task that is not among \p named, and the first of these that is no task; `none` if
/// there is none.
struct changed_tasks {
  std::size_t came_in = planner::none;
  std::size_t gone = planner::none;

  constexpr changed_tasks(planner::view<planner::task> tasks,
                          planner::view<std::string_view> named) {
    planner::list<char> kept(tasks.size(), 0);
    for (std::size_t n = 0; n < named.size(); ++n) {
      std::size_t t = 0;
      while (t < tasks.size() && tasks[t].id.text != named[n]) ++t;
      if (t < tasks.size()) {
        kept[t] = 1;
      } else if (gone == planner::none) {
        gone = n;
      }
    }
    for (std::size_t t = kept.size(); t-- > 0;)
      if (kept[t] == 0) came_in = t;
  }
};

template <class Schedule, fixed_string... Task>
consteval auto changed_tasks_diagnostic() {
  if constexpr (!requires { typename Schedule::parts; }) {
    return errors::no_schedule<Schedule>{};
  } else {
    constexpr std::array<std::string_view, sizeof...(Task)> named{Task.view()...};
    constexpr changed_tasks changed(declared<Schedule>::value.tasks, {named.data(), named.size()});
    if constexpr (changed.gone != planner::none) {
      return task_is_gone<Schedule, declare::nth<changed.gone, pack<task_of_name<Task>...>>>{};
    } else if constexpr (changed.came_in != planner::none) {
      return task_came_in<Schedule,
                          declare::nth<changed.came_in, typename declared<Schedule>::tasks>>{};
    } else {
      return errors::no_error{};
    }
  }
}

}  // namespace detail

}  // namespace typed

/// That a schedule has tasks of these names, in any order, and no others: true, or a compile error
/// that names the first task that is gone or came in. For code that was made for those tasks, as
/// `search::as_replan` makes it.
template <class Schedule, fixed_string... Task>
inline constexpr bool tasks_are =
    (static_cast<void>(
         errors::emit_error<
             decltype(typed::detail::changed_tasks_diagnostic<Schedule, Task...>())>::value),
     true);

}  // namespace stretto
