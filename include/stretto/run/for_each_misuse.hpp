// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <type_traits>

/// Functions that results cannot be handed to.
namespace stretto::runner::detail {

/// `for_each` is given what takes no result. `Result` is what a batch yields.
template <class Use, class Result>
struct unfit_use {
  using use = std::remove_cvref_t<Use>;
  static auto named()
      -> pack<invalid::for_each_calls_a_function_that_takes_the_result<use, Result>>;
  static constexpr errors::words text() {
    return "for_each calls a function with each result, here `" +
           errors::words(declare::qualified_name<Result>()) +
           "`, or with that and the number of its batch: this one takes neither";
  }
};

}  // namespace stretto::runner::detail
