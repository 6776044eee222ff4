// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stretto/declare/name.hpp>
#include <stretto/declare/tag.hpp>
#include <string_view>
#include <type_traits>
#include <utility>

/// Lists of types: how to find, count and select in them.
namespace stretto {

/// A list of types.
template <class... Type>
struct pack {
  static constexpr std::size_t size = sizeof...(Type);
};

namespace declare {

/// Two packs as one.
template <class, class>
struct joined;
template <class... First, class... Second>
struct joined<pack<First...>, pack<Second...>> {
  using type = pack<First..., Second...>;
};

namespace detail {

template <std::size_t Index, class Type>
struct indexed {
  using type = Type;
};

template <class, class...>
struct indexed_pack;
template <std::size_t... Index, class... Type>
struct indexed_pack<std::index_sequence<Index...>, Type...> : indexed<Index, Type>... {};

template <std::size_t Index, class Type>
indexed<Index, Type> select(indexed<Index, Type>*);

template <std::size_t Index, class Pack>
struct nth_of;
template <std::size_t Index, class... Type>
struct nth_of<Index, pack<Type...>> {
  using type = typename decltype(select<Index>(
      static_cast<indexed_pack<std::index_sequence_for<Type...>, Type...>*>(nullptr)))::type;
};

}  // namespace detail

/// How many types are in a row of `in_rows`.
inline constexpr std::size_t row_size = 16;

namespace detail {

template <class Rows, class Pack>
struct rows_of;
template <class... Row, class... Type>
struct rows_of<pack<Row...>, pack<Type...>> {
  using type = pack<Row..., pack<Type...>>;
};
template <class... Row, class Item0, class Item1, class Item2, class Item3, class Item4,
          class Item5, class Item6, class Item7, class Index, class Item9, class Item10,
          class Item11, class Item12, class Item13, class Item14, class Item15, class... Rest>
struct rows_of<pack<Row...>, pack<Item0, Item1, Item2, Item3, Item4, Item5, Item6, Item7, Index,
                                  Item9, Item10, Item11, Item12, Item13, Item14, Item15, Rest...>>
    : rows_of<pack<Row..., pack<Item0, Item1, Item2, Item3, Item4, Item5, Item6, Item7, Index,
                                Item9, Item10, Item11, Item12, Item13, Item14, Item15>>,
              pack<Rest...>> {};

}  // namespace detail

/// A pack in rows: what compilers do for one type of a pack, they do for each other type, too.
template <class Pack>
using in_rows = typename detail::rows_of<pack<>, Pack>::type;

/// The type at place `I` of a pack.
template <std::size_t Index, class Pack>
using nth =
    typename detail::nth_of<Index % row_size,
                            typename detail::nth_of<Index / row_size, in_rows<Pack>>::type>::type;

/// Whether a type is one of others. Not a fold: Clang limits them to 256 terms.
template <class Object, class... Task>
inline constexpr bool one_of = [] {
  bool found = false;
  for (const bool same : std::array<bool, sizeof...(Task)>{std::is_same_v<Task, Object>...})
    found = found || same;
  return found;
}();
/// Whether a type is one of a pack.
template <class Object, class Pack>
inline constexpr bool one_of_pack = false;
template <class Object, class... Task>
inline constexpr bool one_of_pack<Object, pack<Task...>> = one_of<Object, Task...>;

template <class Type>
concept is_part = requires { typename Type::stretto_tag; };

template <class Type, class Tag>
consteval bool part_is() {
  if constexpr (is_part<Type>) {
    return std::is_same_v<typename Type::stretto_tag, Tag>;
  } else {
    return std::is_void_v<Tag>;
  }
}

namespace detail {

/// A tag of a part as a number, so that parts are looked at once and not once per tag; that of
/// `void` for a task. By spelling: all tags are Stretto's own, and no two are spelled alike.
constexpr std::uint64_t mark_of(std::string_view spelling) {
  std::uint64_t mark = 0;
  for (const char c : spelling)
    mark = mark * 6364136223846793005U + 1442695040888963407U + static_cast<unsigned char>(c);
  return mark | 1U;
}

}  // namespace detail

template <class Tag>
inline constexpr std::uint64_t mark = detail::mark_of(qualified_name<Tag>());

template <class Type>
consteval std::uint64_t tag_of() {
  if constexpr (is_part<Type>) {
    return mark<typename Type::stretto_tag>;
  } else {
    return mark<void>;
  }
}

template <class Pack>
struct tags_of;
template <class... Type>
struct tags_of<pack<Type...>> {
  static constexpr std::array<std::uint64_t, sizeof...(Type)> value{tag_of<Type>()...};
};

/// The place of a tag among others; their number: it is none of them.
template <std::size_t Count>
constexpr std::size_t place_among(const std::array<std::uint64_t, Count>& marks,
                                  std::uint64_t mark) {
  std::size_t place = 0;
  for (const std::uint64_t m : marks) {
    if (m == mark) break;
    ++place;
  }
  return place;
}

/// The places of the parts with this tag; `void` selects those that are no parts: the tasks.
template <class Tag, class Pack>
struct only_of {
  static constexpr std::uint64_t wanted = mark<Tag>;
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
  template <std::size_t... Index>
  static auto pick(std::index_sequence<Index...>) -> pack<nth<places[Index], Pack>...>;
  using type = decltype(pick(std::make_index_sequence<count>{}));
};

/// The parts with this tag, in order.
template <class Tag, class Pack>
using only = typename only_of<Tag, Pack>::type;

template <class Pack, class Fallback>
struct front_or {
  using type = Fallback;
};
template <class Type, class... Read, class Fallback>
struct front_or<pack<Type, Read...>, Fallback> {
  using type = Type;
};

/// The first part with this tag, or `Fallback`.
template <class Tag, class Pack, class Fallback = void>
using first = typename front_or<only<Tag, Pack>, Fallback>::type;

}  // namespace declare
}  // namespace stretto
