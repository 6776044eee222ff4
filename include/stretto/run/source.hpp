// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <optional>
#include <span>  // std::ranges::begin and what iterators are, without the streams of <iterator>
#include <type_traits>
#include <utility>

namespace stretto {

namespace runner::detail {

template <class Given>
concept any_range = requires(Given& s) {
  { std::ranges::begin(s) } -> std::input_iterator;
  { std::ranges::end(s) } -> std::sentinel_for<decltype(std::ranges::begin(s))>;
};
template <class Given, class Value>
concept copied_range =
    any_range<Given> && requires(Given& s, Value& slot) { slot = *std::ranges::begin(s); };
/// A container that is given away, of elements that can only be moved.
template <class Given, class Value>
concept moved_range =
    any_range<Given> && !copied_range<Given, Value> && !std::is_reference_v<Given> &&
    !std::is_const_v<Given> && !std::ranges::enable_view<Given> &&
    requires(Given& s, Value& slot) { slot = std::ranges::iter_move(std::ranges::begin(s)); };

}  // namespace runner::detail

/// A range whose elements can be put into a source slot of type `T`. What can only be moved is
/// moved out of a container that is given away: `run(std::move(requests))`.
template <class Given, class Value>
concept range_source =
    runner::detail::copied_range<Given, Value> || runner::detail::moved_range<Given, Value>;

/// A callable `bool(T&)` that fills the slot in place and returns false at the end: no copy, and
/// the memory of an earlier batch can be used again.
template <class Given, class Value>
concept filling_source = std::is_invocable_r_v<bool, Given&, Value&>;

/// A callable that returns `std::optional<U>`, empty at the end; `U` can be put into `T`.
template <class Given, class Value>
concept optional_source = requires(Given& s, Value& slot) {
  { s().has_value() } -> std::convertible_to<bool>;
  slot = *s();
};

/// What a pipeline can take batches of type `T` from.
template <class Given, class Value>
concept source_of =
    range_source<Given, Value> || filling_source<Given, Value> || optional_source<Given, Value>;

namespace runner::detail {

/// Takes batches from the user's source, one at a time and only when asked; never again after it
/// ended, and never ahead of need.
template <class Given, class Value>
class puller {
 public:
  explicit puller(Given&& source) : source_(std::forward<Given>(source)) {}

  bool operator()(Value& slot)
    requires(!range_source<Given, Value> && filling_source<Given, Value>)
  {
    return source_(slot);
  }
  bool operator()(Value& slot)
    requires(!range_source<Given, Value> && !filling_source<Given, Value>)
  {
    auto next = source_();
    if (!next.has_value()) return false;
    slot = *std::move(next);
    return true;
  }

 private:
  Given source_;
};

template <class Given, class Value>
  requires range_source<Given, Value>
class puller<Given, Value> {
 public:
  explicit puller(Given&& source) : range_(std::forward<Given>(source)) {}

  bool operator()(Value& slot) {
    if (at_) {
      ++*at_;
    } else {
      at_.emplace(std::ranges::begin(range_));
    }
    if (*at_ == std::ranges::end(range_)) return false;
    if constexpr (copied_range<Given, Value>) {
      slot = **at_;
    } else {
      slot = std::ranges::iter_move(*at_);
    }
    return true;
  }

 private:
  Given range_;
  std::optional<decltype(std::ranges::begin(std::declval<Given&>()))> at_;
};

}  // namespace runner::detail
}  // namespace stretto
