// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/may_be_empty.hpp>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/text_builder.hpp>
#include <stretto/run/threads/affinity.hpp>
#include <stretto/run/threads/attached_threads.hpp>
#include <stretto/static/errors/misuse.hpp>
#include <stretto/static/execute/task_objects.hpp>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto::typed {

namespace detail {

template <class Task, class... Object>
inline constexpr std::size_t times_passed =
    (std::size_t{0} + ... + std::size_t{std::is_same_v<Task, std::remove_cvref_t<Object>>});

/// Whether a type is that of a lambda, as far as its name tells.
template <class Object>
inline constexpr bool is_lambda =
    declare::qualified_name<Object>().find("<lambda(") != std::string_view::npos ||
    declare::qualified_name<Object>().find("(lambda at ") != std::string_view::npos;

template <class Object, class Schedule>
struct foreign_object {
  static auto named()
      -> pack<invalid::an_object_was_passed_that_is_no_task_of_the_schedule<Object, Schedule>>;
  static constexpr errors::words text() {
    const errors::words what = "an object of type " + errors::shown<Object>() +
                               " was passed, which is no task of schedule " +
                               errors::shown<Schedule>() + "; ";
    if constexpr (is_lambda<Object>)
      return what +
             "a task is a type: give the lambda a name and list `decltype(name)` there, or list a "
             "struct whose members are what it captures, and pass an object of it";
    else if constexpr (declare::is_part<Object>)
      return what + "it is an option, of which the type is given: `stretto::pipeline<" +
             errors::words(name_of<Schedule>.text) + ", " +
             errors::readable(declare::qualified_name<Object>()) + ">`";
    else if constexpr (declare::qualified_name<Object>().starts_with("stretto::") &&
                       !requires { &Object::operator(); })
      return what +
             "nor does the pipeline have the option that it is a setting of, such as "
             "`stretto::mpi::collectives`: `stretto::pipeline<" +
             errors::words(name_of<Schedule>.text) + ", option>`";
    else if constexpr (requires(Object& o) { o.begin() == o.end(); })
      return what + "batches are given to its `run`";
    else
      return what + "list it there, or do not pass it";
  }
};
template <class Pipeline>
struct moved_pipeline {
  static auto named() -> pack<invalid::a_pipeline_is_not_copied_or_moved<Pipeline>>;
  static constexpr errors::words text() {
    return errors::shown<Pipeline>() +
           " is copied or moved here, and a pipeline stays where it is made; what is to be moved "
           "holds it by a std::unique_ptr";
  }
};
template <class Object, class Schedule>
concept pipeline_of = requires { requires std::is_same_v<typename Object::schedule, Schedule>; };
/// A task is asked for that the pipeline does not have.
template <class Task, class Schedule>
struct foreign_task {
  static auto named()
      -> pack<invalid::a_task_is_asked_for_that_is_none_of_the_schedule<Task, Schedule>>;
  static constexpr errors::words text() {
    return "schedule " + errors::shown<Schedule>() + " has no task " + errors::shown<Task>() +
           ", which a pipeline of it is asked for; ask for one that it lists";
  }
};
/// Likewise a slot.
template <class Slot, class Schedule>
struct foreign_slot {
  static auto named()
      -> pack<invalid::a_slot_is_asked_for_that_is_none_of_the_schedule<Slot, Schedule>>;
  static constexpr errors::words text() {
    return "schedule " + errors::shown<Schedule>() + " has no slot " + errors::shown<Slot>() +
           ", which a pipeline of it is asked for; ask for one that it fills or its tasks use";
  }
};
template <class Task>
struct not_passed {
  static auto named() -> pack<invalid::a_task_holds_state_and_was_not_passed_to_the_pipeline<Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " cannot be default-constructed and was not passed to the pipeline: "
           "stretto::pipeline<...> p{" +
           errors::words(name_of<Task>.text) + "{...}};";
  }
};
/// A member that nothing sets: a pointer of a task that the pipeline makes by itself.
template <class Task, std::size_t Number>
struct unset_pointer {
  static auto named()
      -> pack<invalid::a_task_has_a_pointer_that_nothing_sets_and_was_not_passed_to_the_pipeline<
          Task, invalid::member_number<Number>>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() + " has a pointer, its member number " +
           errors::number(static_cast<int>(Number)) +
           ", that nothing sets, and was not passed to the pipeline: stretto::pipeline<...> p{" +
           errors::words(name_of<Task>.text) +
           "{...}}; or, if it is to be null at first, say `= nullptr` where it is declared";
  }
};

// Each stands for the value of a member of an aggregate, of which only its type is asked.
struct any_member {
  template <class Type>
  operator Type() const;
};
struct any_pointer {
  template <class Type>
  operator Type*() const;
};
struct any_number {
  template <class Type>
    requires std::is_arithmetic_v<Type> || std::is_enum_v<Type>
  operator Type() const;
};
struct no_value {};

template <class Task, class Member, std::size_t... Before>
concept next_member_is = requires {
  Task{(static_cast<void>(Before), any_member{})..., Member{}};
};

/// What is known of the members of an aggregate, as far as they can be told apart: the first that
/// is a pointer, from 1, or none, 0; and whether one is a number.
struct members_seen {
  std::size_t pointer = 0;
  bool number = false;
};
template <class Task, std::size_t... Before>
consteval members_seen see_members(members_seen seen, std::index_sequence<Before...>) {
  if constexpr (sizeof...(Before) == 64) {
    return seen;
  } else if constexpr (next_member_is<Task, any_member, Before...>) {
    // (What takes anything, such as a std::any, is neither.)
    if constexpr (!next_member_is<Task, no_value, Before...>) {
      if (next_member_is<Task, any_pointer, Before...> && seen.pointer == 0)
        seen.pointer = sizeof...(Before) + 1;
      seen.number = seen.number || next_member_is<Task, any_number, Before...>;
    }
    return see_members<Task>(seen, std::make_index_sequence<sizeof...(Before) + 1>{});
  } else {
    return seen;
  }
}
/// The number of a pointer of a task to which neither its declaration nor a constructor gives a
/// value, from 1; none, or nobody can tell: 0. A constant of a class must be given the values of
/// all members that have none; if some are numbers, it may be that those alone have none.
template <class Task>
consteval std::size_t number_of_unset_pointer() {
  if constexpr (!std::is_aggregate_v<Task>) {
    return 0;
  } else if constexpr (std::is_trivially_default_constructible_v<Task>) {
    return see_members<Task>({}, std::index_sequence<>{}).pointer;
  } else if constexpr (requires { new const Task; }) {
    return 0;
  } else {
    constexpr members_seen seen = see_members<Task>({}, std::index_sequence<>{});
    return seen.number ? 0 : seen.pointer;
  }
}
template <class Task>
concept leaves_pointer_unset = !std::is_empty_v<Task> && std::is_default_constructible_v<Task> &&
                               (number_of_unset_pointer<Task>() != 0);

/// What is wrong with a task that is not passed, or `no_error`.
template <class Task>
struct made_by_itself {
  using type =
      std::conditional_t<std::is_default_constructible_v<Task>, errors::no_error, not_passed<Task>>;
};
template <leaves_pointer_unset Task>
struct made_by_itself<Task> {
  using type = unset_pointer<Task, number_of_unset_pointer<Task>()>;
};

template <class Task>
struct passed_twice {
  static auto named() -> pack<invalid::a_task_was_passed_to_the_pipeline_twice<Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() + " was passed to the pipeline twice; pass it once";
  }
};
template <class Task>
struct not_moved {
  static auto named()
      -> pack<invalid::a_task_that_cannot_be_copied_was_passed_without_std_move<Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " cannot be copied into the pipeline: pass it with std::move";
  }
};

template <class Setting>
struct setting_passed_twice {
  static auto named() -> pack<invalid::a_setting_was_passed_to_the_pipeline_twice<Setting>>;
  static constexpr errors::words text() {
    return errors::shown<Setting>() +
           " was passed to the pipeline twice; pass one that says it all";
  }
};
template <class... Setting, class... Object>
consteval auto settings_diagnostic(pack<Setting...>, pack<Object...>) {
  return first_diagnostic(
      pack<std::conditional_t<(times_passed<Setting, Object...> > 1), setting_passed_twice<Setting>,
                              errors::no_error>...>{});
}

template <class Schedule, class Object, class... Setting, class... Task>
consteval auto object_diagnostic(pack<Setting...>, pack<Task...>) {
  using type = std::remove_cvref_t<Object>;
  if constexpr (pipeline_of<type, Schedule>) {
    return moved_pipeline<type>{};
  } else if constexpr (!declare::one_of<type, cores, attached_threads, Setting...> &&
                       !declare::one_of<type, Task...>) {
    return foreign_object<type, Schedule>{};
  } else if constexpr (!std::is_constructible_v<type, Object>) {
    return not_moved<type>{};
  } else {
    return errors::no_error{};
  }
}

}  // namespace detail

/// What is wrong with the objects passed for a schedule's tasks and settings, or `no_error`.
template <class Schedule, class Settings, class... Task, class... Object>
consteval auto objects_diagnostic(pack<Task...> tasks, pack<Object...>) {
  using all = pack<decltype(detail::object_diagnostic<Schedule, Object&&>(Settings{}, tasks))...>;
  using state = pack<
      std::conditional_t<(detail::times_passed<Task, Object...> > 1), detail::passed_twice<Task>,
                         typename std::conditional_t<detail::times_passed<Task, Object...> == 1,
                                                     std::type_identity<errors::no_error>,
                                                     detail::made_by_itself<Task>>::type>...>;
  using settings = typename declare::joined<pack<cores, attached_threads>, Settings>::type;
  return detail::first_diagnostic(
      pack<detail::first_of<all>, detail::first_of<state>,
           decltype(detail::settings_diagnostic(settings{}, pack<Object...>{}))>{});
}

namespace detail {

/// Stands in for a value after a compile error; never defined.
template <class Type>
Type never();

}  // namespace detail

/// Makes a task of an object given for it, or a new one.
template <class... Object>
struct task_maker {
  std::tuple<Object...> given;

  template <class Type>
  Type make() {
    if constexpr (detail::times_passed<Type, Object...> > 0) {
      constexpr std::size_t place = detail::first_true(std::array<bool, sizeof...(Object)>{
          std::is_same_v<Type, std::remove_cvref_t<Object>>...});
      return std::get<place>(std::move(given));
    } else {
      return Type{};
    }
  }
};

namespace detail {

/// What was passed to a pipeline in addition to tasks.
template <class Setting, class... Object>
auto setting([[maybe_unused]] const Object&... objects) {
  if constexpr (times_passed<Setting, Object...> == 0) {
    return runner::not_given{};
  } else {
    return task_maker<const Object&...>{std::forward_as_tuple(objects...)}.template make<Setting>();
  }
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_empty(std::string_view task) {
  throw usage_error(runner::text_builder()
                        .add("task ")
                        .name(task)
                        .add(" has no body: what it is to call is empty")
                        .text());
}
/// Throws `usage_error` if a task has nothing to call.
template <class Task>
void refuse_if_empty(const Task& object) {
  if constexpr (declare::may_be_empty<Task>)
    if (object == nullptr) throw_empty(name_of<Task>.text);
}
template <class Made, class... Task>
void refuse_empty([[maybe_unused]] Made& made, pack<Task...>) {
  if constexpr (first_true(std::array<bool, sizeof...(Task)>{declare::may_be_empty<Task>...}) <
                sizeof...(Task))
    [&]<std::size_t... Number>(std::index_sequence<Number...>) {
      // Not a fold, because Clang limits one to 256 terms.
      [[maybe_unused]] const char each[] = {
          (refuse_if_empty(made.template get<Number>()), '\0')...};
    }(std::index_sequence_for<Task...>());
}

/// The tasks of a schedule: those passed, and the others default-constructed.
template <class Schedule, class... Object>
task_objects<Schedule> make_tasks(Object&&... objects) {
  using made = task_objects<Schedule>;
  if constexpr (sizeof...(Object) == 0) {
    return made();  // without a maker, which would have a function for each task
  } else {
    task_maker<Object&&...> maker{std::forward_as_tuple(std::forward<Object>(objects)...)};
    return made(std::in_place, maker);
  }
}

}  // namespace detail
}  // namespace stretto::typed
