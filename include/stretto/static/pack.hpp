// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/declare/name.hpp>
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

/// How many types are in a row of `in_rows`.
inline constexpr std::size_t row_size = 16;

template <class Rows, class Pack>
struct rows_of;
template <class... Row, class... T>
struct rows_of<pack<Row...>, pack<T...>> {
  using type = pack<Row..., pack<T...>>;
};
template <class... Row, class A, class B, class C, class D, class E, class F, class G, class H,
          class I, class J, class K, class L, class M, class N, class O, class P, class... Rest>
struct rows_of<pack<Row...>, pack<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Rest...>>
    : rows_of<pack<Row..., pack<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P>>, pack<Rest...>> {};

/// A pack in rows: what compilers do for one type of a pack, they do for each type beside it.
template <class Pack>
using in_rows = typename rows_of<pack<>, Pack>::type;

/// The type at place `I` of a pack.
template <std::size_t I, class Pack>
using nth = typename nth_of<I % row_size, typename nth_of<I / row_size, in_rows<Pack>>::type>::type;

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

/// The tag of a part as a value, so that parts are looked at once and not once per tag; that of
/// `void` for a task.
template <class T>
consteval std::uint64_t tag_of() {
  if constexpr (is_part<T>) {
    return type_mark<typename T::stretto_part>;
  } else {
    return type_mark<void>;
  }
}

template <class Pack>
struct tags_of;
template <class... T>
struct tags_of<pack<T...>> {
  static constexpr std::array<std::uint64_t, sizeof...(T)> value{tag_of<T>()...};
};

/// The places of the parts with this tag; `void` selects those that are no parts: the tasks.
template <class Tag, class Pack>
struct only_of {
  static constexpr std::uint64_t wanted = type_mark<Tag>;
  static constexpr std::size_t count = [] {
    std::size_t found = 0;
    for (const std::uint64_t tag : tags_of<Pack>::value) found += tag == wanted ? 1U : 0U;
    return found;
  }();
  static constexpr auto places = [] {
    std::array<std::size_t, count> result{};
    [[maybe_unused]] std::size_t place = 0;
    [[maybe_unused]] std::size_t next = 0;
    for (const std::uint64_t tag : tags_of<Pack>::value) {
      if (tag == wanted) result[next++] = place;
      ++place;
    }
    return result;
  }();
  template <std::size_t... I>
  static auto pick(std::index_sequence<I...>) -> pack<nth<places[I], Pack>...>;
  using type = decltype(pick(std::make_index_sequence<count>{}));
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
