// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/parameter.hpp>
#include <stretto/errors/emit.hpp>
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

/// `for_each` is given what takes a number as one that has not all its values. `Number` is what a
/// batch yields, or the type of its number.
template <class Use, class Number>
struct narrowing_use {
  using use = std::remove_cvref_t<Use>;
  using number = std::remove_cvref_t<Number>;
  static auto named() -> pack<
      invalid::for_each_calls_a_function_that_takes_a_number_as_one_that_holds_it<use, number>>;
  static constexpr errors::words text() {
    return "for_each calls a function with each result, and with the number of its batch if it "
           "takes that: this one takes a `" +
           errors::words(declare::qualified_name<number>()) +
           "` as a number that cannot hold all its values; take it as what it is, and convert it "
           "inside";
  }
};

/// Whether a call with the arguments `Given` takes the one at `Place` as such a number.
template <class Use, std::size_t Place, class... Given>
inline constexpr bool narrows_at = declare::narrows<
    typename declare::call_at<std::remove_cvref_t<Use>, Place, pack<Given...>>::type,
    std::remove_cvref_t<declare::nth<Place, pack<Given...>>>>();

template <class Use, class... Given>
inline constexpr bool is_called_with =
    requires(Use& use, Given&&... given) { use(static_cast<Given&&>(given)...); };

/// Why `for_each` cannot call \p Use.
template <class Use, class Result>
consteval auto use_diagnostic() {
  if constexpr (is_called_with<Use, Result>) {
    if constexpr (narrows_at<Use, 0, Result>)
      return narrowing_use<Use, Result>{};
    else
      return errors::no_error{};
  } else if constexpr (is_called_with<Use, Result, std::size_t>) {
    if constexpr (narrows_at<Use, 0, Result, std::size_t>)
      return narrowing_use<Use, Result>{};
    else if constexpr (narrows_at<Use, 1, Result, std::size_t>)
      return narrowing_use<Use, std::size_t>{};
    else
      return errors::no_error{};
  } else {
    return unfit_use<Use, Result>{};
  }
}

}  // namespace stretto::runner::detail
