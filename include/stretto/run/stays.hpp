// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace stretto {

/// Whether the memory of a slot's value stays where it is and is used on the device only, so that
/// what a body does with it can be replayed. True of a device's `array` and `pinned_array`; a type
/// of your own says so by `static constexpr bool stays = true`, and for one of somebody else's this
/// is specialised.
template <class Type>
inline constexpr bool stays = requires { requires Type::stays; };

}  // namespace stretto
