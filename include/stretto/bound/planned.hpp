// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto::bound {

/// A `dynamic::planned_schedule`.
template <class Type>
concept planned = requires(const Type& p) {
  p.declaration();
  p.plan().resolved;
};

}  // namespace stretto::bound
