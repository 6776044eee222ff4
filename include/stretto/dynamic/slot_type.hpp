// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <new>
#include <stretto/declare/name.hpp>
#include <stretto/execute/error.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace stretto::device {

template <class Driver>
struct place;

}  // namespace stretto::device

namespace stretto::dynamic {

/// Stands for the place on a device that a slot's value is made of, whichever driver's: a type
/// tells by its constructor. Throws `usage_error` if it asks for another driver's.
class any_place {
 public:
  template <class Driver>
  any_place(const device::place<Driver>& where)
      : where_(&where), driver_(stretto::detail::qualified_name<Driver>()) {}

  template <class Driver>
  operator const device::place<Driver>&() const {
    if (driver_ != stretto::detail::qualified_name<Driver>())
      throw usage_error("a slot's type is for the device of `" +
                        std::string(stretto::detail::qualified_name<Driver>()) +
                        "`, but the pipeline's streams are on that of `" + std::string(driver_) +
                        "`");
    return *static_cast<const device::place<Driver>*>(where_);
  }

 private:
  const void* where_;
  std::string_view driver_;
};

/// The type of a slot's values as a value: what a pipeline needs to hold copies of it.
struct slot_type {
  std::string_view name;  ///< as the compiler spells it
  std::size_t size = 0;
  std::size_t alignment = 1;
  void (*construct)(void* at) = nullptr;  ///< null: it cannot be made without a device
  void (*construct_at)(void* at, const any_place& where) = nullptr;  ///< null: by `construct`
  void (*destroy)(void* at) = nullptr;

  // By spelling, because a type has several descriptions where shared libraries are involved.
  friend bool operator==(const slot_type& a, const slot_type& b) {
    return &a == &b || (a.name == b.name && a.size == b.size && a.alignment == b.alignment);
  }
};

namespace detail {

/// Whether values of a type are made of places on a device. (What can be made of anything, as
/// `std::any` can, is not.)
template <class T>
inline constexpr bool made_at_places =
    std::is_constructible_v<T, const any_place&> && !std::is_constructible_v<T, slot_type>;

}  // namespace detail

/// A type that copies of a slot can have.
template <class T>
concept slot_value = std::is_object_v<T> && !std::is_const_v<T> &&
                     (std::is_default_constructible_v<T> || detail::made_at_places<T>);

namespace detail {

template <slot_value T>
constexpr slot_type describe_type() {
  slot_type t;
  t.name = stretto::detail::qualified_name<T>();
  t.size = sizeof(T);
  t.alignment = alignof(T);
  if constexpr (std::is_default_constructible_v<T>) t.construct = [](void* at) { ::new (at) T(); };
  if constexpr (made_at_places<T>)
    t.construct_at = [](void* at, const any_place& where) { ::new (at) T(where); };
  t.destroy = [](void* at) { static_cast<T*>(at)->~T(); };
  return t;
}

template <slot_value T>
inline constexpr slot_type described = describe_type<T>();

}  // namespace detail

/// The description of a type; lives as long as the program.
template <slot_value T>
constexpr const slot_type& type_of() {
  return detail::described<T>;
}

}  // namespace stretto::dynamic
