// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/errors/words.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/static/errors/body.hpp>
#include <stretto/static/errors/transfers.hpp>
#include <stretto/static/query/plan_of.hpp>
#include <type_traits>
#include <utility>

/// What running a schedule asks of it beyond the rules.
namespace stretto::typed {

namespace detail {

template <class Schedule>
struct no_source {
  static auto named() -> pack<invalid::the_schedule_has_no_source<Schedule>>;
  static constexpr errors::words text() {
    return "schedule " + errors::shown<Schedule>() +
           " has no source: add `stretto::source<slot>`, the slot that each batch is put into";
  }
};

template <class Slot>
constexpr errors::words type_of_slot() {
  return "the type of slot " + errors::shown<Slot>() + ", `" +
         errors::words(declare::qualified_name<typename Slot::value_type>()) + "`, ";
}
template <class Slot>
struct undefined_value {
  static auto named() -> pack<invalid::the_type_of_a_slot_is_declared_but_not_defined_here<
      Slot, typename Slot::value_type>>;
  static constexpr errors::words text() {
    return type_of_slot<Slot>() + "is declared but not defined here; define it before the pipeline";
  }
};
template <class Slot>
struct unwritable_value {
  static auto named()
      -> pack<invalid::the_type_of_a_slot_is_const_or_no_object<Slot, typename Slot::value_type>>;
  static constexpr errors::words text() {
    return type_of_slot<Slot>() + "is const or no object; each batch is written to it anew";
  }
};
template <class Slot>
struct array_value {
  static auto named() -> pack<invalid::the_type_of_a_slot_is_an_array_hold_it_in_std_array<
      Slot, typename Slot::value_type>>;
  static constexpr errors::words text() {
    return type_of_slot<Slot>() + "is an array; hold it in a std::array";
  }
};
template <class Slot>
struct unmade_value {
  static auto named() -> pack<
      invalid::the_type_of_a_slot_is_not_default_constructible<Slot, typename Slot::value_type>>;
  static constexpr errors::words text() {
    return type_of_slot<Slot>() +
           "is not default-constructible; a slot's copies outlive its batches: give it a default "
           "constructor, or hold it in std::optional";
  }
};

template <class Task>
struct immovable_task {
  static auto named()
      -> pack<invalid::a_task_can_be_neither_moved_nor_copied_into_the_pipeline<Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " can be neither moved nor copied into the pipeline: hold what it refers to by "
           "reference or std::unique_ptr";
  }
};

template <class Slot, class Device>
consteval auto slot_diagnostic() {
  using type = typename Slot::value_type;
  if constexpr (!std::is_object_v<type> || std::is_const_v<type>) {
    return unwritable_value<Slot>{};
  } else if constexpr (std::is_array_v<type>) {
    return array_value<Slot>{};
  } else if constexpr (!requires { sizeof(type); }) {
    return undefined_value<Slot>{};
  } else if constexpr (!std::is_default_constructible_v<type> && !Device::template makes<type>) {
    return unmade_value<Slot>{};
  } else {
    return errors::no_error{};
  }
}

template <class Device, class... Slot>
auto slot_diagnostics(pack<Slot...>) -> pack<decltype(slot_diagnostic<Slot, Device>())...>;
template <class... Task>
auto immovable_tasks(pack<Task...>)
    -> pack<std::conditional_t<std::is_move_constructible_v<Task>, errors::no_error,
                               immovable_task<Task>>...>;
template <class Task>
struct changing_task {
  static auto named() -> pack<invalid::a_task_on_several_workers_is_not_callable_as_const<Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " is called by several workers at once, but not callable as const; declare its call "
           "operator const, and keep what it changes in slots";
  }
};

template <class Schedule, class Context, std::size_t Node, class Task>
consteval auto sharing_diagnostic() {
  if constexpr (!planner::shared_by_workers(declared<Schedule>::value, Node)) {
    return errors::no_error{};
  } else {
    using called = body<Task, Context>;
    constexpr bool ok = called::callable_as_const(typename called::parameters{});
    return std::conditional_t<ok, errors::no_error, changing_task<Task>>{};
  }
}
template <class Schedule, class Context, class... Task, std::size_t... Index>
auto sharing_diagnostics(pack<Task...>, std::index_sequence<Index...>)
    -> pack<decltype(sharing_diagnostic<Schedule, Context, Index, Task>())...>;

/// What is wrong with tasks that workers share, or `no_error`.
template <class Schedule, class Context>
consteval auto workers_call_diagnostic() {
  using tasks = typename declared<Schedule>::tasks;
  if constexpr (declared<Schedule>::group_parts::size == 0) {
    return errors::no_error{};
  } else {
    return first_of<decltype(sharing_diagnostics<Schedule, Context>(
        tasks{}, std::make_index_sequence<tasks::size>{}))>{};
  }
}

template <class Context, class Source, class... Task>
auto body_diagnostics(pack<Task...>) -> pack<decltype(body_diagnostic<Task, Context, Source>())...>;

/// A task that seems to use no slots, because nobody can ask its call operator: where a slot is
/// written by no task, it may be by this one.
template <class Task, class Context, bool Unwritten>
consteval auto unasked_diagnostic() {
  if constexpr (Unwritten && !lists_slots<Task> && body<Task, Context>::ok) {
    return std::conditional_t<said_by_task<Task>::readable, errors::no_error,
                              unreadable_parameters<Task>>{};
  } else {
    return unsaid_diagnostic<Task, Context>();
  }
}

/// What tasks do not say of their slots, and what rules find because of it: the first of it.
template <class Context, class Broken, bool Unwritten, class... Task>
consteval auto first_broken(pack<Task...>) {
  return first_diagnostic(
      pack<first_of<pack<decltype(unasked_diagnostic<Task, Context, Unwritten>())...>>, Broken>{});
}

/// Whether what is wrong with a schedule is, first of all, that no task writes a slot.
template <class Schedule>
consteval bool lacks_writer() {
  const auto& found = diagnosed<Schedule>::value.findings;
  return found.size() != 0 && found[0].what == planner::kind::unresolved_read;
}

template <class Schedule>
consteval bool lacks_source() {
  if constexpr (well_formed<Schedule>) {
    return !declared<Schedule>::has_source;
  } else {
    return false;
  }
}

}  // namespace detail

/// Why a schedule cannot be run, or `no_error`. `Projected`: a rank runs its part of it, which is
/// known when the program runs.
template <class Schedule, class Device = no_device, class Collectives = no_collectives,
          bool Projected = false>
consteval auto run_diagnostic() {
  // Without a source, rules find too much: whatever reads its slot.
  if constexpr (detail::lacks_source<Schedule>()) {
    return detail::no_source<Schedule>{};
  } else if constexpr (!errors::is_no_error<decltype(detail::diagnostic<Schedule>())>) {
    using broken = decltype(detail::diagnostic<Schedule>());
    if constexpr (well_formed<Schedule>) {
      return detail::first_broken<context_of<Device, Collectives>, broken,
                                  detail::lacks_writer<Schedule>()>(
          typename declared<Schedule>::tasks{});
    } else {
      return broken{};
    }
  } else {
    using tasks = typename declared<Schedule>::tasks;
    using slot_list = detail::first_of<decltype(detail::slot_diagnostics<Device>(
        typename detail::slots_of<Schedule>::type{}))>;
    using context = context_of<Device, Collectives>;
    using filled = typename declared<Schedule>::source_part::slot;
    if constexpr (!errors::is_no_error<slot_list>) {
      return slot_list{};
    } else {
      return detail::first_diagnostic(
          pack<decltype(transfers_diagnostic<Schedule, Collectives, Projected>()),
               detail::first_of<decltype(detail::immovable_tasks(tasks{}))>,
               detail::first_of<decltype(detail::body_diagnostics<context, filled>(tasks{}))>,
               decltype(detail::workers_call_diagnostic<Schedule, context>())>{});
    }
  }
}

}  // namespace stretto::typed
