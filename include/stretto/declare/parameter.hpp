// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <stretto/declare/pack.hpp>
#include <type_traits>
#include <utility>

/// What a body's parameters are, as far as calls tell: a call operator may be a template or
/// overloaded, and then nobody can ask for its type.
namespace stretto::declare {

namespace detail {

/// Whether parameters are the slots' own types, by value or as const for what is read. (Of `T` and
/// of `const T&`, `const P&` is `const T&`; of `T&` it is that.)
template <class... Parameter, class... Given>
consteval bool as_given(pack<Parameter...>, pack<Given...>) {
  return (std::is_same_v<const Parameter&, Given> && ...);
}

}  // namespace detail

// Whether a call operator's are, which is neither a template nor overloaded if it has an address;
// behind a context, if that is what it takes first.
template <class Copy, class Read, class... Parameter, class... Given>
  requires(sizeof...(Parameter) == sizeof...(Given))
consteval bool takes_as_given(Read (Copy::*)(Parameter...), pack<Given...>) {
  return detail::as_given(pack<Parameter...>{}, pack<Given...>{});
}
template <class Copy, class Read, class... Parameter, class... Given>
  requires(sizeof...(Parameter) == sizeof...(Given))
consteval bool takes_as_given(Read (Copy::*)(Parameter...) const, pack<Given...>) {
  return detail::as_given(pack<Parameter...>{}, pack<Given...>{});
}
template <class Copy, class Read, class Context, class... Parameter, class... Given>
  requires(sizeof...(Parameter) == sizeof...(Given))
consteval bool takes_as_given(Read (Copy::*)(Context, Parameter...), pack<Given...>) {
  return detail::as_given(pack<Parameter...>{}, pack<Given...>{});
}
template <class Copy, class Read, class Context, class... Parameter, class... Given>
  requires(sizeof...(Parameter) == sizeof...(Given))
consteval bool takes_as_given(Read (Copy::*)(Context, Parameter...) const, pack<Given...>) {
  return detail::as_given(pack<Parameter...>{}, pack<Given...>{});
}

namespace detail {

/// A body's call, with an argument of any type between those that it gets before and after.
template <class Task, class Before, class After>
struct call_around;
template <class Task, class... Before, class... After>
struct call_around<Task, pack<Before...>, pack<After...>> {
  template <class Type>
  static consteval bool takes() {
    return requires(Task& task) {
      task(std::declval<Before>()..., std::declval<Type>(), std::declval<After>()...);
    };
  }
  /// In braces an argument fits no parameter whose type is deduced, and no body is instantiated.
  template <class Type>
  static consteval bool takes_in_braces() {
    return requires(Task& task) {
      task(std::declval<Before>()..., {std::declval<Type>()}, std::declval<After>()...);
    };
  }

  struct preferred {};
  template <class Type>
  struct rival : Task {
    using Task::operator();
    preferred operator()(Before..., const Type&&, After...);
  };
  /// Of a T that nobody else refers to, whether the call takes a copy or a const T just as well as
  /// a `T&&`. For parameters whose type is deduced: the rival loses to `auto&&` alone.
  template <class Type>
  static consteval bool takes_copy_or_const() {
    if constexpr (!std::is_class_v<Task>) {
      return true;  // a function: its parameter is a number that another turned into
    } else if constexpr (std::is_final_v<Task>) {
      return false;  // in doubt
    } else {
      return requires(rival<Type>& both) {
        {
          both(std::declval<Before>()..., std::declval<Type>(), std::declval<After>()...)
        } -> std::same_as<preferred>;
      };
    }
  }

  /// Whether what the call does to a T at this place is lost, because it takes a copy or a const.
  /// What can be made of a T that may be changed, and of no other (a `std::span<float>`, a
  /// pointer), gives access to it.
  template <class Type>
  static consteval bool loses_changes() {
    if constexpr (!takes<Type>()) {
      return false;
    } else if constexpr (takes_in_braces<Type>()) {
      return takes_in_braces<const Type&>();
    } else {
      return takes_copy_or_const<Type>();
    }
  }
};

/// Whether a number type has a value for each value of another.
template <class To, class From>
consteval bool holds_all_of() {
  using to = std::numeric_limits<To>;
  using from = std::numeric_limits<From>;
  if constexpr (std::is_enum_v<From>) {
    return holds_all_of<To, std::underlying_type_t<From>>();
  } else if constexpr (!std::is_arithmetic_v<From> ||
                       (std::is_same_v<To, bool> && !std::is_same_v<From, bool>)) {
    return false;
  } else if constexpr (!from::is_integer) {
    return !to::is_integer && to::digits >= from::digits && to::max_exponent >= from::max_exponent;
  } else {
    return to::digits >= from::digits && (to::is_signed || !from::is_signed);
  }
}

/// Stands for a value that becomes any number that its like does (of a pointer, a bool), or only
/// one that has room for it.
template <class From, bool Any>
struct number_from {
  template <class To>
    requires(std::is_arithmetic_v<To> && (!std::is_pointer_v<From> || std::is_same_v<To, bool>) &&
             (Any || holds_all_of<To, From>()))
  operator To() const;
};

/// Whether a value may turn into a number of another type without anybody asking for it.
template <class Type>
inline constexpr bool turns_into_numbers =
    std::is_arithmetic_v<Type> || std::is_pointer_v<Type> ||
    (std::is_enum_v<Type> && std::is_convertible_v<Type, long double>);

}  // namespace detail

/// Whether a call that takes a T does so as a number that cannot hold all its values.
template <class Call, class Type>
consteval bool narrows() {
  if constexpr (detail::turns_into_numbers<Type>) {
    if constexpr (Call::template takes_in_braces<detail::number_from<Type, false>>())
      return false;
    else
      return Call::template takes_in_braces<detail::number_from<Type, true>>();
  } else {
    return false;
  }
}

namespace detail {

template <class Given, std::size_t... Before, std::size_t... After>
auto around(std::index_sequence<Before...>, std::index_sequence<After...>)
    -> pack<pack<nth<Before, Given>...>,
            pack<nth<Given::size - sizeof...(After) + After, Given>...>>;

}  // namespace detail

/// The call of \p Task with the arguments `Given`, seen from place `Place` of them.
template <class Task, std::size_t Place, class Given>
struct call_at {
  using rest = decltype(detail::around<Given>(std::make_index_sequence<Place>{},
                                              std::make_index_sequence<Given::size - Place - 1>{}));
  using type = detail::call_around<Task, nth<0, rest>, nth<1, rest>>;
};

}  // namespace stretto::declare
