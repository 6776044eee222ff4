// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/context.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/parameter.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/plan/text/sentence.hpp>
#include <stretto/run/backend.hpp>
#include <stretto/static/values/task_fields.hpp>
#include <type_traits>
#include <utility>

namespace stretto::typed {

/// What a body with plain parameters gets of an entry of `reads`.
template <class Entry>
using read_parameter = typename detail::slot_entry<Entry>::template parameter<
    typename detail::slot_entry<Entry>::named::value_type>;

namespace detail {

template <class Slot>
struct written_as {
  using type = typename Slot::value_type&;
};
template <class Entry>
struct written_as<declare::past<Entry>> {
  using type = Entry;
};
template <class Slot>
using write_parameter = typename written_as<Slot>::type;

/// Stands for an argument of whatever type a parameter wants.
struct anything {
  template <class Type>
  operator Type&() const;
  template <class Type>
  operator Type&&() const;
};

}  // namespace detail

/// How a task's body can be called: with its slots (reads, then writes, or as its parameters say),
/// after a context if it asks for it as its first parameter: for what it is, or for what it
/// converts to.
template <class Task, class Context = task_context>
struct body {
  using reads = typename task_fields<Task>::given_reads;
  using writes = typename task_fields<Task>::given_writes;
  static constexpr bool looks_back = task_fields<Task>::looks_back;
  static constexpr bool by_parameters = accesses<Task>::size > 0;

 private:
  // One of two by a member: a template would be one more for each task.
  template <class Listed, class Said>
  static auto either(Listed, Said) -> std::conditional_t<by_parameters, Said, Listed>;
  template <class... Read, class... Write>
  static auto parameters_of(pack<Read...>, pack<Write...>)
      -> pack<read_parameter<Read>..., detail::write_parameter<Write>...>;
  template <class... Write, class... Read>
  static auto parameters_of(pack<>, pack<Write...>, pack<Read...>)
      -> pack<detail::write_parameter<Write>..., read_parameter<Read>...>;

 public:
  /// What a body with plain parameters would get of what is read, then of what is written.
  using plain_parameters =
      decltype(parameters_of(typename task_fields<Task>::read_entries{}, writes{}));
  /// Those with what is written in front, to tell who has them so.
  using backward_parameters =
      decltype(parameters_of(pack<>{}, writes{}, typename task_fields<Task>::read_entries{}));
  /// The slots that the body is called with, and what it gets of each.
  using slot_list =
      decltype(either(typename declare::joined<reads, writes>::type{}, accessed<Task>{}));
  using parameters = decltype(either(plain_parameters{}, accesses<Task>{}));

  /// Whether the body can be called, and whether it returns something then: a verdict, or what
  /// nobody takes.
  enum class call { impossible, done, judged, suspended, valued };
  template <class... Passed>
  static consteval call called_with(pack<Passed...>) {
    if constexpr (requires { std::declval<Task&>()(std::declval<Passed>()...); }) {
      using returned = decltype(std::declval<Task&>()(std::declval<Passed>()...));
      return std::is_void_v<returned>                ? call::done
             : std::is_same_v<returned, verdict>     ? call::judged
             : std::is_same_v<returned, suspendable> ? call::suspended
                                                     : call::valued;
    } else {
      return call::impossible;
    }
  }
  template <class... Passed>
  static consteval call called_with_context(pack<Passed...>) {
    return called_with(pack<Context&, Passed...>{});
  }
  static constexpr call plain = called_with(parameters{});
  static consteval call with_context_or_without() {
    if constexpr (plain == call::impossible) return called_with_context(parameters{});
    return plain;
  }
  static constexpr call called = with_context_or_without();
  static constexpr bool ok = called != call::impossible;
  static constexpr bool wants_context = ok && plain == call::impossible;

  /// Whether a task that several workers share can be called as const.
  template <class... Passed>
  static consteval bool callable_as_const(pack<Passed...>) {
    if constexpr (wants_context) {
      return requires {
        std::declval<const Task&>()(std::declval<Context&>(), std::declval<Passed>()...);
      };
    } else {
      return requires { std::declval<const Task&>()(std::declval<Passed>()...); };
    }
  }

  /// The first slot that a callable body takes in a way in which values are lost: what it writes as
  /// a copy or const, what it reads as a narrower number. Or none.
  static consteval std::size_t lossy() {
    if constexpr (by_parameters ||
                  requires { requires declare::takes_as_given(&Task::operator(), parameters{}); }) {
      return slot_list::size;
    } else {
      return []<std::size_t... Index>(std::index_sequence<Index...>) {
        std::size_t found = slot_list::size;
        ((found = found == slot_list::size && loses<Index>() ? Index : found), ...);
        return found;
      }(std::make_index_sequence<slot_list::size>{});
    }
  }

  /// The first parameter that, if it took anything, would make the body callable; or none.
  static consteval std::size_t misfit() {
    return []<std::size_t... Index>(std::index_sequence<Index...>) {
      std::size_t found = parameters::size;
      ((found = found == parameters::size &&
                        fits_with<Index, detail::anything>(std::index_sequence<Index...>{})
                    ? Index
                    : found),
       ...);
      return found;
    }(std::make_index_sequence<parameters::size>{});
  }

  /// Whether the body could be called if parameter `Place` were a `Given`.
  template <std::size_t Place, class Given, std::size_t... Index>
  static consteval bool fits_with(std::index_sequence<Index...>) {
    using changed =
        pack<std::conditional_t<Index == Place, Given, declare::nth<Index, parameters>>...>;
    return called_with(changed{}) != call::impossible ||
           called_with_context(changed{}) != call::impossible;
  }

  /// Whether it could be called if it might change or move from what it reads at \c Place.
  template <std::size_t Place, std::size_t... Index>
  static consteval bool fits_if_changed(std::index_sequence<Index...> places) {
    using given = declare::nth<Place, parameters>;
    using value = std::remove_const_t<std::remove_reference_t<given>>;
    if constexpr (std::is_rvalue_reference_v<given>) {
      return false;
    } else if constexpr (fits_with<Place, value&>(places)) {
      return true;
    } else {
      return fits_with<Place, value&&>(places);
    }
  }

 private:
  template <std::size_t Place>
  static consteval bool loses() {
    using value = typename declare::nth<Place, slot_list>::value_type;
    using leading = std::conditional_t<wants_context, pack<Context&>, pack<>>;
    using given = typename declare::joined<leading, parameters>::type;
    using call = typename declare::call_at<Task, leading::size + Place, given>::type;
    if constexpr (Place < reads::size) {
      return declare::narrows<call, value>();
    } else if constexpr (!std::is_reference_v<declare::nth<Place, parameters>>) {
      return false;  // items, which are given by an object that refers to them
    } else {
      return call::template loses_changes<value>();
    }
  }
};

namespace detail {

template <class... Passed>
auto signature_of(pack<Passed...>) -> void (*)(Passed...);

template <class Task>
struct uncallable_body {
  using signature =
      std::remove_pointer_t<decltype(signature_of(typename body<Task>::parameters{}))>;
  static auto named()
      -> pack<invalid::a_task_has_no_public_call_operator_for_its_slots<Task, signature>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " has no public call operator for its slots, reads first, then writes: `" +
           errors::words(declare::qualified_name<signature>()) + "`";
  }
};

/// A body that takes what it writes in front of what it reads.
template <class Task>
struct backward_body {
  using signature = typename uncallable_body<Task>::signature;
  static auto named()
      -> pack<invalid::a_task_takes_what_it_writes_before_what_it_reads<Task, signature>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " takes what it writes before what it reads; reads come first, then writes: `" +
           errors::words(declare::qualified_name<signature>()) + "`";
  }
};
template <class Called>
consteval bool is_backward() {
  if constexpr (Called::by_parameters || Called::reads::size == 0) {
    return false;
  } else {
    using given = typename Called::backward_parameters;
    return Called::called_with(given{}) != Called::call::impossible ||
           Called::called_with_context(given{}) != Called::call::impossible;
  }
}

/// What a task names at a place of its slots: a slot, or an entry that a body gets an object of.
template <class Slot>
struct named_at {
  using type = Slot;
  static constexpr bool is_object = false;
};
template <class Entry>
struct named_at<declare::past<Entry>> {
  using type = Entry;
  static constexpr bool is_object = true;
};
template <class Task, std::size_t Place>
using at_place = named_at<declare::nth<Place, typename body<Task>::slot_list>>;

template <class Task, std::size_t Place>
struct misfitting_slot {
  using parameter = declare::nth<Place, typename body<Task>::parameters>;
  using slot = typename at_place<Task, Place>::type;
  static auto named() -> pack<invalid::a_task_does_not_take_what_it_reads_or_writes<
      Task, invalid::argument<static_cast<int>(Place) + 1, parameter>, slot>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() + " does not take slot " + errors::shown<slot>() +
           " where its body gets it: argument " + errors::number(static_cast<int>(Place) + 1) +
           " has type `" + errors::words(declare::qualified_name<parameter>()) +
           "`; take it as that";
  }
};

template <class Task, std::size_t Place>
struct changed_read {
  using slot = typename at_place<Task, Place>::type;
  static auto named()
      -> pack<invalid::a_task_takes_to_change_a_slot_that_it_only_reads<Task, slot>>;
  static constexpr errors::words text() {
    if constexpr (at_place<Task, Place>::is_object)
      return errors::shown_task<Task>() + " takes " + errors::shown<slot>() +
             " to change it, which refers to what is only read; take it by value";
    else
      return as_value();
  }
  static constexpr errors::words as_value() {
    return errors::shown_task<Task>() + " takes slot " + errors::shown<slot>() +
           " to change it, but only reads it; take it as const, list it in `writes` or, if the "
           "body "
           "is to move out of it, as `takes<" +
           errors::words(name_of<slot>.text) + ">` in `reads`";
  }
};

/// A reader cannot change the source's slot, and no writer is allowed.
template <class Task, std::size_t Place>
struct changed_source {
  using slot = declare::nth<Place, typename body<Task>::slot_list>;
  static auto named() -> pack<
      invalid::a_task_takes_to_change_the_slot_of_the_source_of_which_it_can_only_take_the_value<
          Task, slot>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() + " takes slot " + errors::shown<slot>() +
           " to change it, but the source alone fills it; take it as const or, if the body is to "
           "move out of it, list `takes<" +
           errors::words(name_of<slot>.text) + ">` in `reads`";
  }
};

template <class Task, std::size_t Place>
struct lost_write {
  using slot = declare::nth<Place, typename body<Task>::slot_list>;
  static auto named()
      -> pack<invalid::a_task_takes_by_value_or_as_const_a_slot_that_it_writes<Task, slot>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() + " takes slot " + errors::shown<slot>() +
           " by value or as const, but writes it; take it as `" +
           errors::words(declare::qualified_name<typename slot::value_type>()) + "&`";
  }
};

template <class Task, std::size_t Place>
struct narrowed_read {
  using slot = declare::nth<Place, typename body<Task>::slot_list>;
  using value = typename slot::value_type;
  static auto named() -> pack<
      invalid::a_task_takes_a_slot_as_a_type_that_cannot_hold_all_its_values<Task, slot, value>>;
  static constexpr errors::words text() {
    const errors::words type{declare::qualified_name<value>()};
    return errors::shown_task<Task>() + " takes slot " + errors::shown<slot>() +
           " as a type that cannot hold every `" + type + "`; take it as `" + type +
           "`, and convert it in the body";
  }
};

template <class Task, class... Passed>
auto returned_by(pack<Passed...>) -> decltype(std::declval<Task&>()(std::declval<Passed>()...));

template <class Task, class Result>
struct returned_value {
  static auto named() -> pack<invalid::a_task_returns_a_value_that_nobody_takes<Task, Result>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() + " returns `" +
           errors::words(declare::qualified_name<Result>()) +
           "`, which nobody takes; write it to a slot, or return nothing";
  }
};

/// A verdict of which the plan would know nothing.
template <class Task>
struct unseen_verdict {
  static auto named() -> pack<
      invalid::a_task_returns_a_verdict_from_a_call_operator_that_is_overloaded_or_a_template<
          Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " returns a verdict, but from a call operator that is overloaded or a template, so that "
           "nobody can ask for its type before it is called; let it have one call operator, with "
           "the types of its parameters written out";
  }
};

/// A coroutine of which the plan would know nothing.
template <class Task>
struct unseen_coroutine {
  static auto named() -> pack<
      invalid::a_task_is_a_coroutine_by_a_call_operator_that_is_overloaded_or_a_template<Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " is a coroutine, but by a call operator that is overloaded or a template, so that "
           "nobody can ask for its type before it is called; let it have one call operator, with "
           "the types of its parameters written out";
  }
};

/// A verdict that is const: by the type of the call operator it is another.
template <class Task>
struct const_verdict {
  static auto named() -> pack<invalid::a_task_returns_a_verdict_as_const<Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " returns `const stretto::verdict`; let it return `stretto::verdict`";
  }
};

template <class Class, class Result, class... Parameter>
void of_noexcept(Result (Class::*)(Parameter...) noexcept);
template <class Class, class Result, class... Parameter>
void of_noexcept(Result (Class::*)(Parameter...) const noexcept);
template <class Task>
concept never_throws = requires { detail::of_noexcept(&Task::operator()); };

template <class Task>
struct slots_said_twice {
  static auto named()
      -> pack<invalid::a_task_lists_its_slots_and_takes_them_as_in_or_out_too<Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " lists slots in `reads` or `writes`, and takes slots as parameters such as `in` and "
           "`out`; keep one of the two";
  }
};
template <class Task>
struct unreadable_parameters {
  static auto named() -> pack<
      invalid::a_task_lists_no_slots_and_its_call_operator_is_private_overloaded_or_a_template<
          Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " lists no slots, and its parameters cannot say which, because it has no call operator "
           "that is public, not overloaded and no template; mend that, or list slots in `reads` "
           "and `writes`";
  }
};

/// Whether bodies get what collectives add to a context.
template <class Context>
inline constexpr bool has_collectives = false;
template <class Device, class Collectives>
inline constexpr bool has_collectives<runner::detail::full_context<Device, Collectives>> = true;

/// A collective that cannot be called, but could if there were what it takes before its slots.
template <class Task>
struct uncollected_body {
  static auto named() -> pack<
      invalid::a_collective_takes_its_communicator_and_the_pipeline_has_no_collectives<Task>>;
  static constexpr errors::words text() {
    return errors::shown_task<Task>() +
           " is a collective, and takes before its slots what collectives give, but the pipeline "
           "has none: add `stretto::mpi::collectives` (<stretto/mpi.hpp>), "
           "`stretto::nccl::collectives` (<stretto/nccl.hpp>) or `stretto::local::collectives` "
           "(<stretto/local.hpp>) to its options";
  }
};
template <class Task, class Context>
consteval bool lacks_collectives() {
  if constexpr (!own<scalar::collective, Task> || has_collectives<Context>) {
    return false;
  } else {
    using given = typename body<Task, Context>::parameters;
    return body<Task, Context>::called_with(
               typename declare::joined<pack<anything>, given>::type{}) !=
           body<Task, Context>::call::impossible;
  }
}

/// Why a task that cannot be called does not say which slots it takes; or `no_error`.
template <class Task, class Context>
consteval auto unsaid_diagnostic() {
  if constexpr (body<Task, Context>::ok) {
    return errors::no_error{};
  } else if constexpr (lacks_collectives<Task, Context>()) {
    return uncollected_body<Task>{};
  } else {
    using said = said_by_task<Task>;
    if constexpr (lists_slots<Task>) {
      return std::conditional_t<(said::accesses::size > 0 && !body<Task, Context>::looks_back),
                                slots_said_twice<Task>, errors::no_error>{};
    } else if constexpr (!said::readable) {
      return unreadable_parameters<Task>{};
    } else if constexpr (said::accesses::size > 0 &&
                         said::accesses::size < said::parameters::size) {
      return errors::odd_parameter<Task, 1, declare::nth<0, typename said::parameters>>{};
    } else {
      return errors::no_error{};
    }
  }
}

/// Why a task's body cannot be called with its slots, or loses what is in them or what it returns;
/// or `no_error`.
/// \p Source is the slot that the source fills.
template <class Task, class Context, class Source>
consteval auto body_diagnostic() {
  using called = body<Task, Context>;
  if constexpr (called::ok) {
    constexpr std::size_t place = called::lossy();
    if constexpr (place == called::slot_list::size) {
      if constexpr (called::called == called::call::done ||
                    (called::called == called::call::judged && may_drop<Task>) ||
                    (called::called == called::call::suspended && may_suspend<Task>)) {
        if constexpr (has_on_failure<Task>) {
          return std::conditional_t<never_throws<Task>, errors::failure_of_noexcept<Task>,
                                    errors::no_error>{};
        } else {
          return errors::no_error{};
        }
      } else if constexpr (called::called == called::call::judged) {
        constexpr bool readable = requires { detail::parameters_in(&Task::operator()); };
        return std::conditional_t<readable, const_verdict<Task>, unseen_verdict<Task>>{};
      } else if constexpr (called::called == called::call::suspended) {
        return unseen_coroutine<Task>{};
      } else {
        using context = std::conditional_t<called::wants_context, pack<Context&>, pack<>>;
        using passed = typename declare::joined<context, typename called::parameters>::type;
        return returned_value<Task, decltype(returned_by<Task>(passed{}))>{};
      }
    } else if constexpr (place < called::reads::size) {
      return narrowed_read<Task, place>{};
    } else {
      return lost_write<Task, place>{};
    }
  } else if constexpr (!errors::is_no_error<decltype(unsaid_diagnostic<Task, Context>())>) {
    return unsaid_diagnostic<Task, Context>();
  } else if constexpr (is_backward<called>()) {
    return backward_body<Task>{};
  } else {
    constexpr std::size_t place = called::misfit();
    using parameters = typename called::parameters;
    using places = std::make_index_sequence<parameters::size>;
    if constexpr (place == parameters::size) {
      return uncallable_body<Task>{};
    } else if constexpr (called::template fits_if_changed<place>(places{})) {
      return std::conditional_t<
          std::is_same_v<declare::nth<place, typename called::slot_list>, Source>,
          changed_source<Task, place>, changed_read<Task, place>>{};
    } else {
      return misfitting_slot<Task, place>{};
    }
  }
}

}  // namespace detail
}  // namespace stretto::typed

namespace stretto::invalid {

/// The context of a collective where nothing makes collectives, so that what a body asks them for
/// is an error that says so: the compiler's own, which has this name and the task.
template <class Task, class Context>
struct the_pipeline_has_no_collectives_add_those_of_stretto_mpi_nccl_or_local_to_its_options
    : Context {
  constexpr explicit the_pipeline_has_no_collectives_add_those_of_stretto_mpi_nccl_or_local_to_its_options(
      const Context& where)
      : Context(where) {}
};

}  // namespace stretto::invalid
