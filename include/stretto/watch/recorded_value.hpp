// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto {

namespace watch::detail {

template <class Type>
inline constexpr bool is_string_view = false;
template <class Char, class Traits>
inline constexpr bool is_string_view<std::basic_string_view<Char, Traits>> = true;

template <class Type>
consteval bool copies_deeply();

template <class Type, std::size_t... Index>
consteval bool elements_copy_deeply(std::index_sequence<Index...>) {
  return (copies_deeply<std::remove_cv_t<std::tuple_element_t<Index, Type>>>() && ...);
}

template <class Type>
concept refers_to_others =
    std::is_pointer_v<Type> || std::is_reference_v<Type> || is_string_view<Type> ||
    requires { typename Type::element_type; } || requires(const Type& v) {
      { v.get() } -> std::convertible_to<typename Type::type&>;
    };

/// Whether a copy has all that is in a value, as far as types tell: not of pointers, views and
/// shared objects, nor of a container of those.
template <class Type>
consteval bool copies_deeply() {
  if constexpr (refers_to_others<Type> || !std::is_copy_constructible_v<Type>) {
    return false;
  } else if constexpr (requires { std::tuple_size<Type>::value; }) {
    return elements_copy_deeply<Type>(std::make_index_sequence<std::tuple_size<Type>::value>{});
  } else if constexpr (requires { typename Type::value_type; }) {
    using element = std::remove_cv_t<typename Type::value_type>;
    if constexpr (!std::is_same_v<element, Type>) return copies_deeply<element>();
    return true;
  } else {
    return true;
  }
}
template <class Type>
concept copied_as_it_is = copies_deeply<Type>() && std::is_copy_assignable_v<Type>;

template <class Type>
concept lists_values = requires(const Type& v) {
  typename Type::value_type;
  v.begin() != v.end();
  { *v.begin() } -> std::convertible_to<const typename Type::value_type&>;
};

/// Whether two values can be compared (a container says so of any elements).
template <class Type>
consteval bool is_comparable() {
  if constexpr (lists_values<Type>) {
    using element = typename Type::value_type;
    if constexpr (std::is_same_v<element, Type>)
      return std::equality_comparable<Type>;
    else
      return is_comparable<element>();
  } else {
    return std::equality_comparable<Type>;
  }
}

/// Of two numbers that are none, that too.
template <class Type>
bool are_same(const Type& a, const Type& b) {
  if constexpr (std::is_floating_point_v<Type>) {
    return a == b || (a != a && b != b);
  } else if constexpr (lists_values<Type>) {
    auto i = a.begin();
    auto j = b.begin();
    for (; i != a.end() && j != b.end(); ++i, ++j)
      if (!are_same<typename Type::value_type>(*i, *j)) return false;
    return !(i != a.end()) && !(j != b.end());
  } else {
    return a == b;
  }
}

}  // namespace watch::detail

/// How a recording keeps a value of a slot, or what `capture` of a task returns. To be specialised
/// for types whose copies share something with them, as what has pointers does, or that cannot be
/// copied:
///
///     template <>
///     struct st::recorded_value<tensor> {
///       static buffer copy(const tensor& t);                  // any type
///       static void restore(tensor& t, const buffer& kept);   // t is what it was then
///       static bool same(const buffer& kept, const tensor& t);  // if values can be compared
///     };
///
/// Else it is copied and assigned, if it can be and is no pointer, view or `shared_ptr`, nor holds
/// such as its elements. That a class has pointers among its members no type tells.
template <class Type>
struct recorded_value {
  static Type copy(const Type& value)
    requires watch::detail::copied_as_it_is<Type>
  {
    return value;
  }
  static void restore(Type& value, const Type& kept)
    requires watch::detail::copied_as_it_is<Type>
  {
    value = kept;
  }
  static bool same(const Type& kept, const Type& value)
    requires(watch::detail::is_comparable<Type>())
  {
    return watch::detail::are_same(kept, value);
  }
};

}  // namespace stretto
