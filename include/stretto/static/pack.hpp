// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/declare/part.hpp>
#include <type_traits>
#include <utility>

/// The compile-time front end: types in, values out, and values back to types.
namespace stretto::detail {

template <std::size_t I, class T>
struct indexed {
  using type = T;
};

template <class, class...>
struct indexed_pack;
template <std::size_t... I, class... T>
struct indexed_pack<std::index_sequence<I...>, T...> : indexed<I, T>... {};

template <std::size_t I, class T>
indexed<I, T> select(indexed<I, T>*);

template <std::size_t I, class Pack>
struct nth_of;
template <std::size_t I, class... T>
struct nth_of<I, pack<T...>> {
  using type = typename decltype(select<I>(
      static_cast<indexed_pack<std::index_sequence_for<T...>, T...>*>(nullptr)))::type;
};

/// The type at place `I` of a pack, without recursion.
template <std::size_t I, class Pack>
using nth = typename nth_of<I, Pack>::type;

template <class T>
concept is_part = requires { typename T::stretto_part; };

template <class T, class Tag>
consteval bool part_is() {
  if constexpr (is_part<T>) {
    return std::is_same_v<typename T::stretto_part, Tag>;
  } else {
    return std::is_void_v<Tag>;
  }
}

template <std::size_t N>
constexpr std::size_t how_many(const std::array<bool, N>& flags) {
  std::size_t count = 0;
  for (const bool flag : flags) count += flag ? 1U : 0U;
  return count;
}

/// The places of the parts with this tag; `void` selects those that are no parts: the tasks.
template <class Tag, class... T>
consteval auto places_of(pack<T...>) {
  // No folds: Clang limits them to 256 terms.
  constexpr std::array<bool, sizeof...(T)> chosen{part_is<T, Tag>()...};
  constexpr std::size_t count = how_many(chosen);
  std::array<std::size_t, count> result{};
  [[maybe_unused]] std::size_t place = 0;
  [[maybe_unused]] std::size_t next = 0;
  for (const bool c : chosen) {
    if (c) result[next++] = place;
    ++place;
  }
  return result;
}

template <class Tag, class Pack>
struct only_of {
  static constexpr auto places = places_of<Tag>(Pack{});
  template <std::size_t... I>
  static auto pick(std::index_sequence<I...>) -> pack<nth<places[I], Pack>...>;
  using type = decltype(pick(std::make_index_sequence<places.size()>{}));
};

/// The parts with this tag, in order.
template <class Tag, class Pack>
using only = typename only_of<Tag, Pack>::type;

template <class Pack, class Fallback>
struct front_or {
  using type = Fallback;
};
template <class T, class... R, class Fallback>
struct front_or<pack<T, R...>, Fallback> {
  using type = T;
};

/// The first part with this tag, or `Fallback`.
template <class Tag, class Pack, class Fallback = void>
using first = typename front_or<only<Tag, Pack>, Fallback>::type;

}  // namespace stretto::detail
