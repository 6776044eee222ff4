// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <limits>
#include <type_traits>
#include <utility>

/// What counts something in a template's arguments. They are `auto`: as an `int` each would take
/// `true` for 1 and `'4'` for 52, and nobody could tell.
namespace stretto::declare {

namespace detail {

template <class Type>
inline constexpr bool is_letter =
    std::is_same_v<Type, char> || std::is_same_v<Type, wchar_t> || std::is_same_v<Type, char8_t> ||
    std::is_same_v<Type, char16_t> || std::is_same_v<Type, char32_t>;

template <auto Given>
consteval bool is_number() {
  using type = std::remove_cv_t<decltype(Given)>;
  if constexpr (std::is_same_v<type, bool> || is_letter<type>) {
    return false;
  } else if constexpr (std::is_enum_v<type>) {
    return std::is_convertible_v<type, int>;
  } else {
    return std::is_integral_v<type>;
  }
}

template <auto Given>
consteval bool is_in_int() {
  if constexpr (!is_number<Given>()) {
    return false;
  } else if constexpr (std::is_enum_v<decltype(Given)>) {
    return std::in_range<int>(static_cast<std::underlying_type_t<decltype(Given)>>(Given));
  } else {
    return std::in_range<int>(Given);
  }
}

}  // namespace detail

/// Whether a type is that of truth values or of letters, which turn into numbers that nobody means.
template <class Type>
inline constexpr bool is_flag_or_letter = std::is_same_v<Type, bool> || detail::is_letter<Type>;

/// Whether a constant is a whole number: of a number's type, or an enumerator that turns into one.
template <auto Given>
inline constexpr bool is_whole = detail::is_number<Given>();

/// Whether it is one that an `int` holds.
template <auto Given>
inline constexpr bool is_count = detail::is_in_int<Given>();

/// That number, or \p Otherwise in place of what is none.
template <auto Given, int Otherwise = 0>
inline constexpr int count = [] {
  if constexpr (is_count<Given>) {
    return static_cast<int>(Given);
  } else {
    return Otherwise;
  }
}();

/// That number, or what is given instead, so that it can be told what that is.
template <auto Given>
inline constexpr auto as_given = [] {
  if constexpr (is_count<Given>) {
    return static_cast<int>(Given);
  } else {
    return Given;
  }
}();

}  // namespace stretto::declare
