// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/context.hpp>
#include <stretto/plan/sentence.hpp>
#include <stretto/static/invalid.hpp>
#include <stretto/static/pack.hpp>
#include <stretto/static/refused.hpp>
#include <stretto/static/slips.hpp>
#include <stretto/static/task_fields.hpp>
#include <string>
#include <type_traits>
#include <utility>

namespace stretto::detail {

template <class Slot>
using read_parameter = const typename Slot::value_type&;
template <class Slot>
using write_parameter = typename Slot::value_type&;

/// Stands for an argument of whatever type a parameter wants.
struct anything {
  template <class T>
  operator T&() const;
  template <class T>
  operator T&&() const;
};

/// How a task's body can be called: with its slots (reads, then writes), after a context if it
/// asks for it as its first parameter: for what it is, or for what it converts to.
template <class Task, class Context = task_context>
struct body {
  using reads = typename task_fields<Task>::reads;
  using writes = typename task_fields<Task>::writes;
  using slots = typename joined<reads, writes>::type;

 private:
  template <class... R, class... W>
  static auto parameters_of(pack<R...>, pack<W...>)
      -> pack<read_parameter<R>..., write_parameter<W>...>;

 public:
  using parameters = decltype(parameters_of(reads{}, writes{}));

  template <class... P>
  static consteval bool callable(pack<P...>) {
    return requires { std::declval<Task&>()(std::declval<P>()...); };
  }
  template <class... P>
  static consteval bool callable_with_context(pack<P...>) {
    return requires { std::declval<Task&>()(std::declval<Context&>(), std::declval<P>()...); };
  }
  static constexpr bool plain = callable(parameters{});
  static constexpr bool wants_context = !plain && callable_with_context(parameters{});
  static constexpr bool ok = plain || wants_context;

  /// The same of a task that several workers share.
  template <class... P>
  static consteval bool callable_as_const(pack<P...>) {
    if constexpr (wants_context) {
      return requires {
        std::declval<const Task&>()(std::declval<Context&>(), std::declval<P>()...);
      };
    } else {
      return requires { std::declval<const Task&>()(std::declval<P>()...); };
    }
  }

  /// The first parameter that, if it took anything, would make the body callable; or none.
  static consteval std::size_t misfit() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      std::size_t found = parameters::size;
      ((found = found == parameters::size && fits_with<I, anything>(std::index_sequence<I...>{})
                    ? I
                    : found),
       ...);
      return found;
    }(std::make_index_sequence<parameters::size>{});
  }

  /// Whether the body could be called if parameter `Place` were a `Given`.
  template <std::size_t Place, class Given, std::size_t... I>
  static consteval bool fits_with(std::index_sequence<I...>) {
    using changed = pack<std::conditional_t<I == Place, Given, nth<I, parameters>>...>;
    return callable(changed{}) || callable_with_context(changed{});
  }
};

template <class... P>
auto signature_of(pack<P...>) -> void (*)(P...);

template <class Task>
struct uncallable_body {
  using signature =
      std::remove_pointer_t<decltype(signature_of(typename body<Task>::parameters{}))>;
  static auto named() -> pack<invalid::a_task_has_no_call_operator_for_its_slots<Task, signature>>;
  static constexpr std::string text() {
    return shown_task<Task>() + " has no call operator for its slots, reads first, then writes: `" +
           std::string(qualified_name<signature>()) + "`";
  }
};

template <class Task, std::size_t Place>
struct misfitting_slot {
  using parameter = nth<Place, typename body<Task>::parameters>;
  using slot = nth<Place, typename body<Task>::slots>;
  static auto named() -> pack<invalid::a_task_does_not_take_what_it_reads_or_writes<
      Task, invalid::argument<static_cast<int>(Place) + 1, parameter>, slot>>;
  static constexpr std::string text() {
    return shown_task<Task>() + " does not take slot " + shown<slot>() +
           " where its body gets it: argument " + plan::number(static_cast<int>(Place) + 1) +
           " has type `" + std::string(qualified_name<parameter>()) + "`; take it as that";
  }
};

template <class Task, std::size_t Place>
struct changed_read {
  using slot = nth<Place, typename body<Task>::slots>;
  static auto named()
      -> pack<invalid::a_task_takes_to_change_a_slot_that_it_only_reads<Task, slot>>;
  static constexpr std::string text() {
    return shown_task<Task>() + " takes slot " + shown<slot>() +
           " to change it, but only reads it; take it as const, or list it in `writes`";
  }
};

template <class Parameter>
using changeable = std::remove_const_t<std::remove_reference_t<Parameter>>&;

/// Why a task's body cannot be called with its slots, or `fine`.
template <class Task, class Context = task_context>
consteval auto body_complaint() {
  using called = body<Task, Context>;
  if constexpr (called::ok) {
    return fine{};
  } else {
    constexpr std::size_t place = called::misfit();
    using parameters = typename called::parameters;
    using places = std::make_index_sequence<parameters::size>;
    if constexpr (place == parameters::size) {
      return uncallable_body<Task>{};
    } else if constexpr (called::template fits_with<place, changeable<nth<place, parameters>>>(
                             places{})) {
      return changed_read<Task, place>{};
    } else {
      return misfitting_slot<Task, place>{};
    }
  }
}

}  // namespace stretto::detail
