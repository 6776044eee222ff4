// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <stretto/run/combined_source.hpp>
#include <stretto/run/source.hpp>
#include <stretto/run/source_misuse.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto {

/// Sources that take turns: see `merge`.
template <class... Source>
struct merged {
  std::tuple<Source...> sources;  ///< references to those that were not given away
};

/// A source whose batches come from \p sources, two at least, in turn, one of each: ranges,
/// functions, or sources that are themselves zipped or merged, of which each yields what goes into
/// the slot of the source. One that has ended is passed over; ends when all have. Asked by the
/// thread that pulls, which a source that waits holds up. What is not given away is referred to.
/// Those that take a `std::stop_token` are told as they are alone: see `told_source`.
template <class... Source>
[[nodiscard]] auto merge(Source&&... sources) {
  return merged<Source...>{std::tuple<Source...>(std::forward<Source>(sources)...)};
}

namespace runner::detail {

template <class... Source>
struct combined<merged<Source...>> : std::true_type {
  static constexpr std::size_t count = sizeof...(Source);

  template <class Given, class Value>
  static consteval bool fits() {
    return count >= 2 && first_unfit<Given, Value>() == count;
  }
  /// Why it does not.
  template <class Given, class Slot>
  static consteval auto diagnostic() {
    using value = typename Slot::value_type;
    if constexpr (count < 2) {
      return too_few_parts<static_cast<int>(count), Slot>{};
    } else {
      using source = part_of<Given, first_unfit<Given, value>()>;
      if constexpr (may_have_nothing_yet<source, value>) {
        return pausing_part<std::remove_cvref_t<source>, Slot>{};
      } else {
        return source_diagnostic<source, Slot>();
      }
    }
  }

 private:
  /// Which source does not go into the slot; `count` if there is none.
  template <class Given, class Value>
  static consteval std::size_t first_unfit() {
    return []<std::size_t... Index>(std::index_sequence<Index...>) {
      constexpr bool fit[] = {steady_source<part_of<Given, Index>, Value>..., false};
      std::size_t first = 0;
      while (first < count && fit[first]) ++first;
      return first;
    }(std::make_index_sequence<count>());
  }
};

template <class Given>
inline constexpr bool is_merged = false;
template <class... Source>
inline constexpr bool is_merged<merged<Source...>> = true;

/// Takes an item from the source whose turn it is.
template <class Given, class Value>
  requires is_merged<std::remove_cvref_t<Given>>
class puller<Given, Value> {
  static constexpr std::size_t count = combined<std::remove_cvref_t<Given>>::count;
  template <std::size_t... Index>
  static std::tuple<puller<part_of<Given, Index>, Value>...> pullers(std::index_sequence<Index...>);
  using indices = std::make_index_sequence<count>;

 public:
  static constexpr bool may_pause = false;

  explicit puller(Given&& source) : puller(std::forward<Given>(source), indices()) {}

  bool operator()(Value& slot) {
    return in_turn([&slot](auto& part) { return part(slot); });
  }
  bool pull_whole(Value& slot) {
    return in_turn([&slot](auto& part) { return runner::pull_whole(part, slot); });
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
  /// Has \p ask ask the source whose turn it is, and those behind it until one has not ended.
  template <class Ask>
  bool in_turn(const Ask& ask) {
    for (std::size_t asked = 0; asked < count; ++asked) {
      const std::size_t turn = turn_;
      turn_ = (turn_ + 1) % count;
      if (ended_[turn]) continue;
      if (ask_at(turn, ask, indices())) return true;
      ended_[turn] = true;
    }
    return false;
  }
  template <class Ask, std::size_t... Index>
  bool ask_at(std::size_t turn, const Ask& ask, std::index_sequence<Index...>) {
    return ((turn == Index && ask(std::get<Index>(parts_))) || ...);
  }

  decltype(pullers(indices())) parts_;
  std::array<bool, count> ended_{};
  std::size_t turn_ = 0;
};

}  // namespace runner::detail
}  // namespace stretto
