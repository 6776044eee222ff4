// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::declare {

/// What `std::addressof` does: users' types may have an `operator&` of their own. Without <memory>,
/// which every user's file would have to compile.
template <class Type>
constexpr Type* address_of(Type& object) noexcept {
  return __builtin_addressof(object);
}
template <class Type>
const Type* address_of(const Type&&) = delete;

}  // namespace stretto::declare
