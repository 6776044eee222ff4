// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iterator>
#include <stretto/dynamic/values/body.hpp>
#include <stretto/run/source.hpp>
#include <type_traits>
#include <utility>

namespace stretto::dynamic::detail {

/// Stands for a type that the source tells.
struct told_by_source {};

/// Whether a source is a function of one parameter, a token, that returns an optional.
template <class Source>
consteval bool makes_when_told() {
  if constexpr (tells_its_parameters<std::decay_t<Source>>) {
    return []<class... Parameter>(pack<Parameter...>) {
      return sizeof...(Parameter) == 1 && requires(Source& s, Parameter... p) {
        s(static_cast<Parameter&&>(p)...).has_value();
        *s(static_cast<Parameter&&>(p)...);
      };
    }(typename decltype(signature_of<std::decay_t<Source>>())::parameters{});
  } else {
    return false;
  }
}

/// What a source puts into its slot, as far as that can be told from it: the element of a range,
/// the first parameter of a function that fills the slot, the value of the optional that one
/// returns.
template <class Source>
auto element_of() {
  using source = std::remove_reference_t<Source>;
  if constexpr (requires(source& s) {
                  { std::ranges::begin(s) } -> std::input_iterator;
                }) {
    return std::type_identity<
        std::remove_cvref_t<decltype(*std::ranges::begin(std::declval<source&>()))>>{};
  } else if constexpr (requires(source& s) {
                         s().has_value();
                         *s();
                       }) {
    return std::type_identity<std::remove_cvref_t<decltype(*std::declval<source&>()())>>{};
  } else if constexpr (makes_when_told<source>()) {
    return []<class Token>(pack<Token>) {
      return std::type_identity<
          std::remove_cvref_t<decltype(*std::declval<source&>()(std::declval<Token>()))>>{};
    }(typename decltype(signature_of<std::decay_t<source>>())::parameters{});
  } else if constexpr (tells_its_parameters<std::decay_t<source>>) {
    return []<class Parameter, class... MayWait>(pack<Parameter, MayWait...>) {
      return std::type_identity<std::remove_cvref_t<Parameter>>{};
    }(typename decltype(signature_of<std::decay_t<source>>())::parameters{});
  } else {
    // What is no class is no source, of which the run tells.
    static_assert(!std::is_class_v<source>,
                  "a source is a range or a function; of which type its batches are, this one does "
                  "not tell: say it with run<T>(source)");
    return std::type_identity<std::remove_cv_t<source>>{};
  }
}

/// Stands for the slot of the source in compile errors, which come before its name is known.
template <class Type>
struct source_slot {
  using value_type = Type;
};

template <class Type, class Source>
struct value_of_source {
  using type = Type;
};
template <class Source>
struct value_of_source<told_by_source, Source> {
  using type = typename decltype(element_of<Source>())::type;
};
template <class Type, class Source>
using value_from = typename value_of_source<Type, Source>::type;

}  // namespace stretto::dynamic::detail
