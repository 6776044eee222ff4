// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <stretto/declare/name.hpp>
#include <stretto/declare/pack.hpp>
#include <stretto/errors/misuse_text.hpp>
#include <stretto/errors/names.hpp>
#include <stretto/errors/words.hpp>
#include <stretto/run/source.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

/// What sources that are made of others have in common.
namespace stretto::runner::detail {

/// One of the sources that `Given` has, as it would be given to a run: if `Given` is given away, so
/// is what was given to it.
template <class Given, std::size_t Index>
using part = decltype(std::get<Index>(std::declval<Given>().sources));
template <class Given, std::size_t Index>
using part_of = std::conditional_t<std::is_lvalue_reference_v<part<Given, Index>>,
                                   part<Given, Index>, std::remove_reference_t<part<Given, Index>>>;

template <class Given, class Value>
concept may_have_nothing_yet = pausing_source<Given, Value> || pauses_until_told<Given, Value>;
/// A source that always says whether there is a batch.
template <class Given, class Value>
concept steady_source = source_of<Given, Value> && !may_have_nothing_yet<Given, Value>;

template <class Part>
concept told_part = requires(Part& p) { p.request_stop(); };
template <class Part, class Token>
concept following_part = requires(Part& p, const Token& token) { p.follow(token); };

/// Whether some of the pullers in a tuple can be asked to stop, or follow a token.
template <class Parts>
inline constexpr bool parts_are_told = false;
template <class... Part>
inline constexpr bool parts_are_told<std::tuple<Part...>> = (told_part<Part> || ...);
template <class Parts, class Token>
inline constexpr bool parts_follow = false;
template <class... Part, class Token>
inline constexpr bool parts_follow<std::tuple<Part...>, Token> =
    (following_part<Part, Token> || ...);

/// Asks those that can be asked.
template <class... Part>
void ask_parts_to_stop(std::tuple<Part...>& parts) noexcept {
  const auto ask = []<class One>(One& part) {
    if constexpr (told_part<One>) part.request_stop();
  };
  std::apply([&ask](auto&... part) { (ask(part), ...); }, parts);
}
template <class... Part, class Token>
void have_parts_follow(std::tuple<Part...>& parts, const Token& token) {
  const auto follow = [&token]<class One>(One& part) {
    if constexpr (following_part<One, Token>) part.follow(token);
  };
  std::apply([&follow](auto&... part) { (follow(part), ...); }, parts);
}

template <class Source, class Slot>
struct pausing_part {
  static auto named()
      -> pack<invalid::a_source_that_may_have_nothing_yet_is_zipped_or_merged<Source, Slot>>;
  static constexpr errors::words text() {
    return "one of the sources that are zipped or merged for slot " + errors::shown<Slot>() +
           " may have nothing yet, and nobody can wait for several: let what they have come into "
           "one queue, and take batches from that; it has type `" +
           errors::words(declare::qualified_name<Source>()) + "`";
  }
};

/// Fewer sources than can be combined.
template <int Count, class Slot>
struct too_few_parts {
  static auto named() -> pack<invalid::fewer_than_two_sources_are_zipped_or_merged<Count, Slot>>;
  static constexpr errors::words text() {
    if constexpr (Count == 1)
      return "for slot " + errors::shown<Slot>() +
             " one source is zipped or merged, with nothing: hand it to the run itself";
    else
      return "for slot " + errors::shown<Slot>() +
             " no sources are zipped or merged; give two or more";
  }
};

}  // namespace stretto::runner::detail
