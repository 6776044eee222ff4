// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/execute/context.hpp>
#include <stretto/static/invalid.hpp>
#include <stretto/static/pack.hpp>
#include <stretto/static/task_fields.hpp>
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
/// asks.
template <class Task>
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
    return std::is_invocable_v<Task&, P...>;
  }
  template <class... P>
  static consteval bool callable_with_context(pack<P...>) {
    return std::is_invocable_v<Task&, task_context&, P...>;
  }
  static constexpr bool plain = callable(parameters{});
  static constexpr bool wants_context = !plain && callable_with_context(parameters{});
  static constexpr bool ok = plain || wants_context;

  /// The first parameter that, if it took anything, would make the body callable; or none.
  static consteval std::size_t misfit() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      std::size_t found = parameters::size;
      ((found =
            found == parameters::size && fits_without<I>(std::index_sequence<I...>{}) ? I : found),
       ...);
      return found;
    }(std::make_index_sequence<parameters::size>{});
  }

 private:
  template <std::size_t Spared, std::size_t... I>
  static consteval bool fits_without(std::index_sequence<I...>) {
    using spared = pack<std::conditional_t<I == Spared, anything, nth<I, parameters>>...>;
    return callable(spared{}) || callable_with_context(spared{});
  }
};

template <class Task>
consteval auto body_sentence() {
  constexpr std::size_t place = body<Task>::misfit();
  if constexpr (place < body<Task>::parameters::size) {
    return static_cast<invalid::a_task_does_not_take_what_it_reads_or_writes<
        Task, nth<place, typename body<Task>::parameters>,
        nth<place, typename body<Task>::slots>>*>(nullptr);
  } else {
    return static_cast<invalid::a_task_has_no_call_operator_for_its_slots<Task>*>(nullptr);
  }
}

/// Instantiating this for a task that cannot be called with its slots is the compile error.
template <class Task, bool Ok = body<Task>::ok>
struct checked_body : std::true_type {};
template <class Task>
struct checked_body<Task, false> : std::false_type {
  static_assert(sizeof(*body_sentence<Task>()) > 0);
};

}  // namespace stretto::detail
