// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::declare {

/// Whether a callable may hold nothing to call, as a `std::function` may: it says so by a call, and
/// compares with null. (A lambda that converts to a pointer always has something to call.)
template <class Type>
concept may_be_empty = requires(const Type& callable) {
  callable.operator bool();
  callable == nullptr;
};

}  // namespace stretto::declare
