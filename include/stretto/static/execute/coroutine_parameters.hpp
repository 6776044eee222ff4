// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/pack.hpp>
#include <stretto/declare/suspends.hpp>
#include <stretto/static/errors/body.hpp>
#include <stretto/static/values/said_by_parameters.hpp>

namespace stretto::typed {

/// A compile error if a task that is a coroutine takes what may be gone when it is resumed.
/// `Parameter` are what it is called with for slots.
template <class Task, class Context, class... Parameter>
consteval void check_coroutine(pack<Parameter...> passed) {
  using called = body<Task, Context>;
  static_assert(!called::looks_back,
                "a task that is a coroutine uses slots of its own batch only, whose copies stay "
                "what they are while it is suspended: let a task in front of it look back");
  static_assert(
      declare::outlive_their_call<called::wants_context>(detail::call_parameters<Task>(), passed),
      "a task that is a coroutine takes its context by value, and its slots by value "
      "or as what they are: another reference is to what is gone when it is resumed");
}

}  // namespace stretto::typed
