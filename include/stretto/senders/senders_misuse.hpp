// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/emit.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/run/given_pipeline.hpp>
#include <stretto/run/onwards.hpp>
#include <stretto/run/temporary_misuse.hpp>
#include <type_traits>

/// What no sender is made of.
namespace stretto::sending {

/// Says that a run is cancelled, not drained, when a stop is requested.
struct cancelling {};

/// What may be given along with a source.
enum class kind : char { use, where, cancelling };

template <class Given>
inline constexpr kind kind_of = runner::beginning<Given>            ? kind::where
                                : std::is_same_v<Given, cancelling> ? kind::cancelling
                                                                    : kind::use;
template <kind Wanted, class... Given>
inline constexpr std::size_t how_many =
    (std::size_t{kind_of<Given> == Wanted} + ... + std::size_t{0});

namespace detail {

template <class Given>
struct not_runnable {
  static auto named() -> pack<invalid::a_sender_is_of_a_pipeline_that_can_run<Given>>;
  static constexpr errors::words text() {
    return "a run or a thread is a sender of a pipeline: of the object, which is not const, and "
           "not of a pointer, a schedule or a run; this has type `" +
           errors::words(declare::qualified_name<Given>()) + "`";
  }
};
template <class... Given>
struct given_twice {
  static auto named() -> pack<
      invalid::a_run_as_a_sender_is_given_a_function_a_beginning_and_cancel_on_stop_once<Given...>>;
  static constexpr errors::words text() {
    return "a run as a sender is given, along with its source, one function that is called with "
           "each result, one beginning such as `stretto::onwards`, and `stretto::cancel_on_stop`, "
           "each once or not at all; a stop token is the receiver's";
  }
};

template <class Type, class Pipeline>
struct named_type {
  static auto named()
      -> pack<invalid::a_run_as_a_sender_names_the_type_of_batches_of_a_pipeline_of_values_only<
          Type, Pipeline>>;
  static constexpr errors::words text() {
    return "`run_as_sender.of<" + errors::words(declare::qualified_name<Type>()) +
           ">` names the type of batches, which it does for a pipeline of values: the schedule of "
           "a pipeline of types tells it, so leave it out";
  }
};

template <class Pipeline>
inline constexpr bool tells_type = requires { typename Pipeline::source_value; };

/// Why a run over \p Source cannot be made, as far as the pipeline tells.
template <class Type, class Pipeline, class Source>
consteval auto source_diagnostic() {
  if constexpr (std::is_void_v<Type>) {
    if constexpr (requires { typename Pipeline::template why_no_run<Source>; })
      return typename Pipeline::template why_no_run<Source>{};
    else
      return errors::no_error{};
  } else {
    return typename Pipeline::template why_no_run<Source, Type>{};
  }
}

}  // namespace detail

/// Why there is no sender of what was given in place of a pipeline; or `no_error`.
template <class Pipeline>
consteval auto pipeline_diagnostic() {
  if constexpr (!runner::can_run<std::remove_reference_t<Pipeline>>) {
    return detail::not_runnable<std::remove_reference_t<Pipeline>>{};
  } else if constexpr (!std::is_lvalue_reference_v<Pipeline>) {
    return runner::temporary_pipeline<Pipeline>{};
  } else {
    return errors::no_error{};
  }
}

template <class Pipeline>
using unfit_pipeline = decltype(pipeline_diagnostic<Pipeline>());

/// Why there is none of a run over a source, with what was given along with that.
template <class Type, class Pipeline, class Source, class... Given>
consteval auto run_diagnostic() {
  using pipeline = std::remove_reference_t<Pipeline>;
  if constexpr (!errors::is_no_error<decltype(pipeline_diagnostic<Pipeline>())>) {
    return pipeline_diagnostic<Pipeline>();
  } else if constexpr (!std::is_void_v<Type> && detail::tells_type<pipeline>) {
    return detail::named_type<Type, pipeline>{};
  } else if constexpr (how_many<kind::use, Given...> > 1 || how_many<kind::where, Given...> > 1 ||
                       how_many<kind::cancelling, Given...> > 1) {
    return detail::given_twice<Given...>{};
  } else {
    return detail::source_diagnostic<Type, pipeline, Source>();
  }
}

}  // namespace stretto::sending
