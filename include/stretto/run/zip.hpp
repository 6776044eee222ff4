// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/run/combined_source.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/source_misuse.hpp>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto {

/// Sources of which each gives a part of every batch: see `zip`.
template <class... Source>
struct zipped {
  std::tuple<Source...> sources;  ///< references to those that were not given away
};

/// A source whose batches take one item of each of \p sources, which are ranges, functions, or
/// themselves zipped or merged: two at least. The slot of the source is a std::tuple, std::pair,
/// std::array or a struct without constructors, bases and arrays, with as many members as there are
/// sources, 8 at most, in their order. Ends with the source that ends first; what those before it
/// gave for that batch is lost. They are asked in order, by the thread that pulls. What is not
/// given away is referred to. Where the schedule's source skips what it throws on (`on_failure`),
/// the others are asked all the same, so that items stay side by side. Those that take a
/// `std::stop_token` are told as they are alone: see `told_source`.
template <class... Source>
[[nodiscard]] auto zip(Source&&... sources) {
  return zipped<Source...>{std::tuple<Source...>(std::forward<Source>(sources)...)};
}

namespace runner::detail {

/// Goes for a member of any type.
struct any_member {
  template <class Type>
  operator Type() const;
};
template <class Value, class Indices>
inline constexpr bool made_of_members = false;
template <class Value, std::size_t... Index>
inline constexpr bool made_of_members<Value, std::index_sequence<Index...>> =
    requires { Value{(static_cast<void>(Index), any_member())...}; };

/// Goes for a base of a type only.
template <class Value>
struct any_base {
  template <class Type>
    requires(!std::is_same_v<Type, Value> && std::is_base_of_v<Type, Value>)
  operator Type() const;
};
/// Whether a type can be made of members of which one, behind `Before` others, is in braces of its
/// own, with others behind it.
template <class Value, class Before, class Behind>
inline constexpr bool braced_member = false;
template <class Value, std::size_t... Before, std::size_t... Behind>
inline constexpr bool
    braced_member<Value, std::index_sequence<Before...>, std::index_sequence<Behind...>> =
        requires {
          Value{(static_cast<void>(Before), any_member())...,
                {any_member()},
                (static_cast<void>(Behind), any_member())...};
        };

/// Whether one of the first `Count` members that a type seems to have is the first element of an
/// array: in braces it takes the others along, which leaves too few.
template <class Value, std::size_t Count>
consteval bool has_array() {
  return []<std::size_t... Before>(std::index_sequence<Before...>) {
    return ((braced_member<Value, std::make_index_sequence<Before>, std::index_sequence<>> &&
             !braced_member<Value, std::make_index_sequence<Before>,
                            std::make_index_sequence<Count - 1 - Before>>) ||
            ...);
  }(std::make_index_sequence<Count>());
}

inline constexpr std::size_t most_members = 8;

/// How many members the value of a slot has for zipped sources; 0 if it cannot be taken apart.
template <class Value>
consteval std::size_t member_count() {
  if constexpr (requires { std::tuple_size<Value>::value; }) {
    return std::tuple_size<Value>::value;
  } else if constexpr (std::is_aggregate_v<Value> && std::is_class_v<Value>) {
    constexpr std::size_t made_of = []<std::size_t... Count>(std::index_sequence<Count...>) {
      std::size_t most = 0;
      ((made_of_members<Value, std::make_index_sequence<Count>> ? most = Count : 0), ...);
      return most;
    }(std::make_index_sequence<most_members + 2>());
    if constexpr (has_array<Value, made_of>() || requires { Value{any_base<Value>()}; })
      return 0;
    else
      return made_of;
  } else {
    return 0;
  }
}

/// References to the members.
template <std::size_t Count, class Value>
constexpr auto members_of(Value& value) {
  if constexpr (Count == 2) {
    auto& [a, b] = value;
    return std::tie(a, b);
  } else if constexpr (Count == 3) {
    auto& [a, b, c] = value;
    return std::tie(a, b, c);
  } else if constexpr (Count == 4) {
    auto& [a, b, c, d] = value;
    return std::tie(a, b, c, d);
  } else if constexpr (Count == 5) {
    auto& [a, b, c, d, e] = value;
    return std::tie(a, b, c, d, e);
  } else if constexpr (Count == 6) {
    auto& [a, b, c, d, e, f] = value;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (Count == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return std::tie(a, b, c, d, e, f, g);
  } else {
    auto& [a, b, c, d, e, f, g, h] = value;
    return std::tie(a, b, c, d, e, f, g, h);
  }
}

template <class Value, std::size_t Count, std::size_t Index>
using member_of = std::remove_reference_t<
    std::tuple_element_t<Index, decltype(members_of<Count>(std::declval<Value&>()))>>;

constexpr errors::words in_words(int members) {
  if (members == 0)
    return "no members that can be told apart, as those of a struct without constructors, bases "
           "and arrays can";
  return errors::number(members) + " members";
}
template <class Zipped, class Slot>
struct wrong_member_count {
  static auto named() -> pack<
      invalid::as_many_sources_are_zipped_as_the_type_of_their_slot_has_members<Zipped, Slot>>;
  static constexpr errors::words text() {
    using value = typename Slot::value_type;
    constexpr int members = static_cast<int>(member_count<value>());
    return errors::number(static_cast<int>(combined<Zipped>::count)) +
           " sources are zipped for slot " + errors::shown<Slot>() + ", whose type `" +
           errors::words(declare::qualified_name<value>()) + "` has " + in_words(members) +
           ": let it be a std::tuple, or a struct without constructors, with a member for each "
           "source, 8 at most";
  }
};
template <class Source, class Member, class Slot, int Number>
struct unfit_part {
  static auto named() -> pack<
      invalid::a_source_that_is_zipped_yields_what_its_member_does_not_take<Source, Member, Slot>>;
  static constexpr errors::words text() {
    return "source " + errors::number(Number) +
           " of those that are zipped yields nothing that goes into its member of slot " +
           errors::shown<Slot>() + ", of type `" +
           errors::words(declare::qualified_name<Member>()) + "`; the source has type `" +
           errors::words(declare::qualified_name<Source>()) + "`";
  }
};

template <class... Source>
struct combined<zipped<Source...>> : std::true_type {
  static constexpr std::size_t count = sizeof...(Source);

  template <class Given, class Value>
  static consteval bool fits() {
    if constexpr (count >= 2 && member_count<Value>() == count && count <= most_members) {
      return first_unfit<Given, Value>() == count;
    } else {
      return false;
    }
  }
  /// Why it does not.
  template <class Given, class Slot>
  static consteval auto diagnostic() {
    using value = typename Slot::value_type;
    if constexpr (count < 2) {
      return too_few_parts<static_cast<int>(count), Slot>{};
    } else if constexpr (member_count<value>() != count || count > most_members) {
      return wrong_member_count<zipped<Source...>, Slot>{};
    } else {
      constexpr std::size_t unfit = first_unfit<Given, value>();
      using source = part_of<Given, unfit>;
      using member = member_of<value, count, unfit>;
      if constexpr (may_have_nothing_yet<source, member>) {
        return pausing_part<std::remove_cvref_t<source>, Slot>{};
      } else {
        return unfit_part<std::remove_cvref_t<source>, member, Slot, static_cast<int>(unfit) + 1>{};
      }
    }
  }

 private:
  /// Which source does not go into its member; `count` if there is none.
  template <class Given, class Value>
  static consteval std::size_t first_unfit() {
    return []<std::size_t... Index>(std::index_sequence<Index...>) {
      constexpr bool fit[] = {
          steady_source<part_of<Given, Index>, member_of<Value, count, Index>>...};
      std::size_t first = 0;
      while (first < count && fit[first]) ++first;
      return first;
    }(std::make_index_sequence<count>());
  }
};

template <class Given>
inline constexpr bool is_zipped = false;
template <class... Source>
inline constexpr bool is_zipped<zipped<Source...>> = true;

/// Takes an item from each source, into its member.
template <class Given, class Value>
  requires is_zipped<std::remove_cvref_t<Given>>
class puller<Given, Value> {
  static constexpr std::size_t count = combined<std::remove_cvref_t<Given>>::count;
  template <std::size_t Index>
  using part_puller = puller<part_of<Given, Index>, member_of<Value, count, Index>>;
  template <std::size_t... Index>
  static std::tuple<part_puller<Index>...> pullers(std::index_sequence<Index...>);
  using indices = std::make_index_sequence<count>;

 public:
  static constexpr bool may_pause = false;

  explicit puller(Given&& source) : puller(std::forward<Given>(source), indices()) {}

  bool operator()(Value& slot) {
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      const auto members = members_of<count>(slot);
      return (std::get<Index>(parts_)(std::get<Index>(members)) && ...);
    }(indices());
  }
  /// Likewise; if one throws, asks the others nevertheless, and throws that on. Not, if one of
  /// these has ended: then there is no such batch.
  bool pull_whole(Value& slot) {
    std::exception_ptr error;
    const auto members = members_of<count>(slot);
    const auto ask = [&error](auto& part, auto& member) {
      try {
        return runner::pull_whole(part, member);
      } catch (...) {
        if (error == nullptr) error = std::current_exception();
        return true;
      }
    };
    const bool all = [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return (ask(std::get<Index>(parts_), std::get<Index>(members)) && ...);
    }(indices());
    if (all && error != nullptr) std::rethrow_exception(error);
    return all;
  }

  /// Nothing more is wanted of the sources. From any thread.
  void request_stop() noexcept
    requires parts_are_told<decltype(pullers(indices()))>
  {
    ask_parts_to_stop(parts_);
  }
  template <class Token>
    requires parts_follow<decltype(pullers(indices())), Token>
  void follow(const Token& token) {
    have_parts_follow(parts_, token);
  }

 private:
  template <std::size_t... Index>
  puller(Given&& source, std::index_sequence<Index...>)
      : parts_(std::get<Index>(std::forward<Given>(source).sources)...) {}

  decltype(pullers(indices())) parts_;
};

}  // namespace runner::detail
}  // namespace stretto
