// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <new>
#include <stretto/declare/name.hpp>
#include <stretto/dynamic/values/type_identity.hpp>
#include <stretto/run/asked_of_device.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/stays.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace stretto::dynamic {

/// Stands for the location on a device that a slot's value is made of, whichever driver's: a type
/// tells by its constructor. Throws `usage_error` if it asks for another driver's.
class any_place {
 public:
  template <class Place>
    requires slot_location_traits<Place>::known
  any_place(const Place& where)
      : where_(&where),
        driver_(type_identity::of<typename slot_location_traits<Place>::driver>()),
        driver_name_(declare::qualified_name<typename slot_location_traits<Place>::driver>()) {}

  template <class Place>
    requires slot_location_traits<Place>::known
  operator const Place&() const {
    using driver = typename slot_location_traits<Place>::driver;
    if (!(driver_ == type_identity::of<driver>()))
      throw usage_error(
          "a slot's type is for the device of `" + std::string(declare::qualified_name<driver>()) +
          "`, but the pipeline's streams are on that of `" + std::string(driver_name_) + "`");
    return *static_cast<const Place*>(where_);
  }

 private:
  const void* where_;
  type_identity driver_;
  std::string_view driver_name_;
};

/// The type of a slot's values as a value: what a pipeline needs to hold copies of it.
struct slot_type {
  std::string_view name;  ///< as the compiler spells it; other types may be spelled alike
  type_identity identity;
  std::size_t size = 0;
  std::size_t alignment = 1;
  void (*construct)(void* at) = nullptr;  ///< null: it cannot be made without a device
  void (*construct_at)(void* at, const any_place& where) = nullptr;  ///< null: by `construct`
  void (*destroy)(void* at) = nullptr;
  bool transient = false;  ///< its memory is there for a batch at a time, in the order of streams
  bool stays = false;      ///< its memory stays where it is and is used on a device only

  // Shared libraries may have descriptions of their own.
  friend bool operator==(const slot_type& a, const slot_type& b) {
    return &a == &b || a.identity == b.identity;
  }
};

namespace detail {

/// Whether values of a type are made of places on a device. (What can be made of anything, as
/// `std::any` can, is not.)
template <class Type>
inline constexpr bool made_at_places =
    std::is_constructible_v<Type, const any_place&> && !std::is_constructible_v<Type, slot_type>;

}  // namespace detail

/// A type that copies of a slot can have.
template <class Type>
concept slot_value = std::is_object_v<Type> && !std::is_const_v<Type> && !std::is_array_v<Type> &&
                     (std::is_default_constructible_v<Type> || detail::made_at_places<Type>);

namespace detail {

template <slot_value Type>
constexpr slot_type describe_type() {
  slot_type t;
  t.name = declare::qualified_name<Type>();
  t.identity = type_identity::of<Type>();
  t.size = sizeof(Type);
  t.alignment = alignof(Type);
  if constexpr (std::is_default_constructible_v<Type>)
    t.construct = [](void* at) { ::new (at) Type(); };
  if constexpr (made_at_places<Type>)
    t.construct_at = [](void* at, const any_place& where) { ::new (at) Type(where); };
  t.destroy = [](void* at) { static_cast<Type*>(at)->~Type(); };
  t.transient = requires { requires Type::transient; };
  t.stays = stretto::stays<Type>;
  return t;
}

template <slot_value Type>
inline constexpr slot_type described = describe_type<Type>();

}  // namespace detail

/// The description of a type; lives as long as the program.
template <slot_value Type>
constexpr const slot_type& type_of() {
  return detail::described<Type>;
}

}  // namespace stretto::dynamic
