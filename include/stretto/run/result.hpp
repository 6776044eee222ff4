// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/pack.hpp>
#include <tuple>

namespace stretto::runner {

namespace detail {

template <class... Slot>
struct result_type {
  using type = std::tuple<typename Slot::value_type&...>;
};
template <class Slot>
struct result_type<Slot> {
  using type = typename Slot::value_type&;
};
template <>
struct result_type<> {
  using type = std::size_t;
};

}  // namespace detail

/// What a batch yields, by the slots that are results.
template <class... Slot>
auto result_of(pack<Slot...>) -> typename detail::result_type<Slot...>::type;

}  // namespace stretto::runner
