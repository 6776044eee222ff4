// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/address_of.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/plan/derive/threads.hpp>
#include <stretto/run/stand_in.hpp>
#include <stretto/run/value_type.hpp>
#include <stretto/static/errors/body.hpp>
#include <stretto/static/values/declared.hpp>
#include <utility>

namespace stretto::typed::detail {

template <class Type>
constexpr runner::value_type named_type() {
  return {&declare::identity<Type>, declare::qualified_name<Type>()};
}

/// Tells an observer that may stand in for bodies of a task, and of the types that it deals with.
template <class Schedule, class Context, std::size_t Node, class Task, class Observer, class Tasks,
          class... Write>
void tell_of_body(Observer& observer, Tasks& tasks, pack<Write...>) {
  using called = body<Task, Context>;
  constexpr const auto& declaration = declared<Schedule>::value;
  observer.template knows_task<Task, typename Write::value_type...>();
  runner::replaceable_task task;
  task.number = Node;
  task.declared = &declaration.tasks[Node];
  task.type = named_type<Task>();
  task.object = declare::address_of(tasks.template get<Node>());
  task.is_const = called::callable_as_const(typename called::parameters{});
  task.is_shared = planner::shared_by_workers(declaration, Node);
  task.writes = {{name_of<Write>.text, named_type<typename Write::value_type>()}...};
  observer.replaces(task, declaration);
}
template <class Schedule, class Context, class Observer, class Tasks, class... Task>
void tell_of_bodies(Observer& observer, Tasks& tasks, pack<Task...>) {
  [&]<std::size_t... Node>(std::index_sequence<Node...>) {
    (tell_of_body<Schedule, Context, Node, Task>(observer, tasks,
                                                 typename body<Task, Context>::writes{}),
     ...);
  }(std::index_sequence_for<Task...>{});
}

}  // namespace stretto::typed::detail
