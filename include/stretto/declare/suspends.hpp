// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/pack.hpp>
#include <type_traits>

namespace stretto {

/// What the call operator of a task returns that is a coroutine: `<stretto/suspend.hpp>` has it.
class suspendable;

namespace declare {

/// Whether a coroutine's parameters are there as long as it is: values, or references to slots.
/// `Declared` are its parameters, the first of them its context if it takes one, `Passed` is what
/// it is called with for the others.
template <bool TakesContext, class... Declared, class... Passed>
consteval bool outlive_their_call(pack<Declared...>, pack<Passed...>) {
  if constexpr (TakesContext) {
    return []<class Context, class... Rest>(pack<Context, Rest...>) {
      return !std::is_reference_v<Context> &&
             outlive_their_call<false>(pack<Rest...>{}, pack<Passed...>{});
    }(pack<Declared...>{});
  } else {
    return ((!std::is_reference_v<Declared> ||
             std::is_convertible_v<std::remove_reference_t<Passed>*,
                                   std::remove_reference_t<Declared>*>)&&...);
  }
}

}  // namespace declare
}  // namespace stretto
