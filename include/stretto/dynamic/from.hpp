// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/dynamic/body.hpp>
#include <stretto/dynamic/outline.hpp>
#include <stretto/dynamic/schedule.hpp>
#include <stretto/dynamic/slot_type.hpp>
#include <stretto/execute/runnable.hpp>
#include <stretto/execute/tasks.hpp>
#include <stretto/static/declared.hpp>
#include <stretto/static/diagnosis.hpp>
#include <stretto/static/task_fields.hpp>
#include <string>
#include <tuple>
#include <utility>

namespace stretto::dynamic {

namespace detail {

template <class... R, class... W, class Task>
body body_of(pack<R...>, pack<W...>, Task&& object) {
  return body::with<const typename R::value_type&..., typename W::value_type&...>(
      std::forward<Task>(object));
}

template <class... Slot>
void add_types([[maybe_unused]] schedule& s, [[maybe_unused]] const outliner& names,
               pack<Slot...>) {
  [[maybe_unused]] const auto add = [&](const name& slot, const slot_type& type) {
    const std::string called = names.slot(slot);
    for (const typed_slot& known : s.types)
      if (known.slot == called) return;
    s.types.push_back({called, &type});
  };
  (add(name_of<Slot>, type_of<typename Slot::value_type>()), ...);
}

}  // namespace detail

/// A schedule of types as a value, with the types of its slots but without bodies: to be planned,
/// saved, drawn. What `place`, `serial`, `threads` and the like say is applied. Of a schedule that
/// breaks rules too: `diagnose` finds the same.
template <class Schedule>
schedule outline() {
  static_cast<void>(
      stretto::detail::refused<decltype(stretto::detail::shape_complaint<Schedule>())>::value);
  using from = stretto::detail::declared<Schedule>;
  const detail::outliner names(from::value);
  schedule s = names.outline();
  s.name = name_of<Schedule>.text;
  [&]<class... Task>(pack<Task...>) {
    (detail::add_types(s, names, typename stretto::detail::task_fields<Task>::reads{}), ...);
    (detail::add_types(s, names, typename stretto::detail::task_fields<Task>::writes{}), ...);
  }(typename from::tasks{});
  if constexpr (from::has_source)
    detail::add_types(s, names, pack<typename from::source_part::slot>{});
  return s;
}

/// The same with the bodies of its tasks: \p objects, passed as to `stretto::pipeline`, and the
/// others default-constructed. A schedule that cannot be run is a compile error.
template <class Schedule, class... Object>
schedule from(Object&&... objects) {
  using tasks = typename stretto::detail::declared<Schedule>::tasks;
  using complaint = decltype(stretto::detail::run_complaint<Schedule>());
  using objects_complaint =
      decltype(stretto::detail::objects_complaint<Schedule, pack<>>(tasks{}, pack<Object...>{}));
  static_cast<void>(stretto::detail::refused<complaint>::value);
  static_cast<void>(stretto::detail::refused<objects_complaint>::value);
  schedule s = outline<Schedule>();
  stretto::detail::task_maker<Object&&...> maker{
      std::forward_as_tuple(std::forward<Object>(objects)...)};
  [&]<class... Task>(pack<Task...>) {
    std::size_t next = 0;
    ((s.tasks[next++].body = detail::body_of(typename stretto::detail::task_fields<Task>::reads{},
                                             typename stretto::detail::task_fields<Task>::writes{},
                                             maker.template make<Task>())),
     ...);
  }(tasks{});
  return s;
}

}  // namespace stretto::dynamic
