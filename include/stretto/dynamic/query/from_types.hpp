// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <stretto/declare/context.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/tag.hpp>
#include <stretto/dynamic/query/outline.hpp>
#include <stretto/dynamic/query/told_apart.hpp>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/dynamic/values/schedule.hpp>
#include <stretto/dynamic/values/slot_type.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/static/errors/body.hpp>
#include <stretto/static/errors/diagnosis.hpp>
#include <stretto/static/execute/runnable.hpp>
#include <stretto/static/execute/task_arguments.hpp>
#include <stretto/static/values/declared.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto::dynamic {

namespace detail {

/// Calls a task that says by its parameters which slots it takes, with what it reads and then what
/// it writes.
template <class Task, class Accesses, class Slots, class Parameters>
struct by_name;
template <class Task, class... Access, class... Slot, class... Parameter>
struct by_name<Task, pack<Access...>, pack<Slot...>, pack<Parameter...>> {
  static void call(Task& object, Parameter... value) {
    const given all{static_cast<Parameter&&>(value)...};
    object(Access(std::get<place_of<typename Access::slot>>(all))...);
  }
  template <class Context>
  static void call_with_context(Task& object, Context& context, Parameter... value) {
    const given all{static_cast<Parameter&&>(value)...};
    object(context, Access(std::get<place_of<typename Access::slot>>(all))...);
  }

 private:
  using given = std::tuple<Parameter...>;
  template <class Wanted>
  static constexpr std::size_t place_of = [] {
    std::size_t place = 0;
    for (const bool found : {std::is_same_v<Slot, Wanted>...}) {
      if (found) break;
      ++place;
    }
    return place;
  }();
};

template <class Context, class... Parameter, class Task>
body body_of(pack<Parameter...>, Task&& object) {
  using type = std::remove_cvref_t<Task>;
  using called = typed::body<type, Context>;
  if constexpr (called::by_parameters) {
    using slot_list =
        typename declare::joined<typename called::reads, typename called::writes>::type;
    using caller = by_name<type, typed::accesses<type>, slot_list, pack<Parameter...>>;
    return shared::called_by<caller, called::callable_as_const(typename called::parameters{}),
                             std::conditional_t<called::wants_context, Context, void>>::
        template make<Parameter...>(std::forward<Task>(object));
  } else {
    return body::with_context<Context, Parameter...>(std::forward<Task>(object));
  }
}

/// What a task's body may ask for: what the device has for those that are on its streams; a host
/// task is content with a task_context, if it can be.
template <class Schedule, class Device, std::size_t Node, class Task>
using context_for = std::conditional_t<!typed::declared<Schedule>::on_streams()[Node] &&
                                           typed::body<Task, task_context>::ok,
                                       task_context, typename Device::context>;

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

namespace detail {

/// Why there is no outline, or `no_error`.
template <class Schedule>
consteval auto outline_diagnostic() {
  if constexpr (typed::well_formed<Schedule>) {
    return names_diagnostic<Schedule>();
  } else {
    return typed::shape_diagnostic<Schedule>();
  }
}

}  // namespace detail

/// A schedule of types as a value, with the types of its slots but without bodies: to be planned,
/// saved, drawn. What `place`, `serial`, `threads` and the like say is applied. Of a schedule that
/// breaks rules too: `diagnose` finds the same. A compile error if two of its slots, or resources,
/// have one name and are spelled alike.
template <class Schedule>
schedule outline() {
  static_cast<void>(errors::emit_error<decltype(detail::outline_diagnostic<Schedule>())>::value);
  using from = typed::declared<Schedule>;
  const detail::outliner names(from::value);
  schedule s = names.outline();
  s.name = name_of<Schedule>.text;
  [&]<class... Task>(pack<Task...>) {
    (detail::add_types(s, names, typename typed::task_fields<Task>::reads{}), ...);
    (detail::add_types(s, names, typename typed::task_fields<Task>::writes{}), ...);
  }(typename from::tasks{});
  if constexpr (from::has_source)
    detail::add_types(s, names, pack<typename from::source_part::slot>{});
  return s;
}

namespace detail {

template <class Schedule, class Device, class... Object>
schedule with_bodies(Object&&... objects) {
  using tasks = typename typed::declared<Schedule>::tasks;
  using diagnostic = decltype(typed::run_diagnostic<Schedule, Device>());
  using objects_diagnostic =
      decltype(typed::objects_diagnostic<Schedule, typename Device::settings>(tasks{},
                                                                              pack<Object...>{}));
  static_cast<void>(errors::emit_error<diagnostic>::value);
  static_cast<void>(errors::emit_error<objects_diagnostic>::value);
  schedule s = outline<Schedule>();
  typed::task_maker<Object&&...> maker{std::forward_as_tuple(std::forward<Object>(objects)...)};
  [&]<class... Task, std::size_t... Index>(pack<Task...>, std::index_sequence<Index...>) {
    ((s.tasks[Index].body = body_of<context_for<Schedule, Device, Index, Task>>(
          typename typed::body<Task,
                               context_for<Schedule, Device, Index, Task>>::plain_parameters{},
          maker.template make<Task>())),
     ...);
  }(tasks{}, std::make_index_sequence<tasks::size>{});
  return s;
}

}  // namespace detail

/// A schedule of types as a value, with the bodies of its tasks: \p objects, passed as to
/// `stretto::pipeline`, and the others default-constructed. A schedule that cannot be run is a
/// compile error.
template <class Schedule, class... Object>
schedule from_types(Object&&... objects) {
  return detail::with_bodies<Schedule, no_device>(std::forward<Object>(objects)...);
}
/// A schedule of types as a value, with bodies for a device that its streams are on:
/// `from_types<training, on_cuda>()`.
template <class Schedule, class Device, class... Object>
  requires std::same_as<typename Device::stretto_tag, tag::device>
schedule from_types(Object&&... objects) {
  return detail::with_bodies<Schedule, Device>(std::forward<Object>(objects)...);
}

}  // namespace stretto::dynamic
