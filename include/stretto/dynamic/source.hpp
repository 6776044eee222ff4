// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <iterator>
#include <stretto/dynamic/body.hpp>
#include <stretto/execute/source.hpp>
#include <type_traits>
#include <utility>

namespace stretto::dynamic::detail {

/// Stands for a type that the source tells.
struct told_by_source {};

/// What a source puts into its slot, as far as that can be told from it: the element of a range,
/// the parameter of a function that fills the slot, the value of the optional that one returns.
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
  } else if constexpr (tells_its_parameters<std::decay_t<source>>) {
    return []<class P>(pack<P>) {
      return std::type_identity<std::remove_cvref_t<P>>{};
    }(typename decltype(signature_of<std::decay_t<source>>())::parameters{});
  } else {
    static_assert(tells_its_parameters<std::decay_t<source>>,
                  "a source is a range or a function; of which type its batches are, this one does "
                  "not tell: say it with run<T>(source)");
  }
}

template <class T, class Source>
struct value_of_source {
  using type = T;
};
template <class Source>
struct value_of_source<told_by_source, Source> {
  using type = typename decltype(element_of<Source>())::type;
};
template <class T, class Source>
using value_from = typename value_of_source<T, Source>::type;

}  // namespace stretto::dynamic::detail
