// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <new>
#include <stretto/declare/name.hpp>
#include <string_view>
#include <type_traits>

namespace stretto::dynamic {

/// The type of a slot's values as a value: what a pipeline needs to hold copies of it.
struct slot_type {
  std::string_view name;  ///< as the compiler spells it
  std::size_t size = 0;
  std::size_t alignment = 1;
  void (*construct)(void* at) = nullptr;
  void (*destroy)(void* at) = nullptr;

  // By spelling, because a type has several descriptions where shared libraries are involved.
  friend bool operator==(const slot_type& a, const slot_type& b) {
    return &a == &b || (a.name == b.name && a.size == b.size && a.alignment == b.alignment);
  }
};

/// A type that copies of a slot can have.
template <class T>
concept slot_value =
    std::is_object_v<T> && !std::is_const_v<T> && std::is_default_constructible_v<T>;

namespace detail {

template <slot_value T>
inline constexpr slot_type described{stretto::detail::qualified_name<T>(), sizeof(T), alignof(T),
                                     [](void* at) { ::new (at) T(); },
                                     [](void* at) { static_cast<T*>(at)->~T(); }};

}  // namespace detail

/// The description of a type; lives as long as the program.
template <slot_value T>
constexpr const slot_type& type_of() {
  return detail::described<T>;
}

}  // namespace stretto::dynamic
