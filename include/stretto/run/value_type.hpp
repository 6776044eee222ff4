// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/name.hpp>
#include <string_view>

namespace stretto::runner {

/// The type of a value that is held as any other, and how the value is copied to a slot.
struct value_type {
  const char* address = nullptr;  ///< of which each type has one: its identity
  std::string_view name{};        ///< as the compiler spells it
  void (*assign)(void* to, const void* from) = nullptr;

  template <class Type>
  static constexpr value_type of() {
    return {&declare::identity<Type>, declare::qualified_name<Type>(),
            [](void* to, const void* from) {
              *static_cast<Type*>(to) = *static_cast<const Type*>(from);
            }};
  }
  friend constexpr bool operator==(const value_type& a, const value_type& b) {
    return a.address == b.address;
  }
};

}  // namespace stretto::runner
