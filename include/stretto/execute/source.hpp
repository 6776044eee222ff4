// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

namespace stretto {

/// A range whose elements can be put into a source slot of type `T`.
template <class S, class T>
concept range_source = requires(S& s, T& slot) {
  { std::ranges::begin(s) } -> std::input_iterator;
  { std::ranges::end(s) } -> std::sentinel_for<decltype(std::ranges::begin(s))>;
  slot = *std::ranges::begin(s);
};

/// A callable `bool(T&)` that fills the slot in place and returns false at the end: no copy, and
/// the memory of an earlier batch can be used again.
template <class S, class T>
concept filling_source = std::is_invocable_r_v<bool, S&, T&>;

/// A callable that returns `std::optional<U>`, empty at the end; `U` can be put into `T`.
template <class S, class T>
concept optional_source = requires(S& s, T& slot) {
  { s().has_value() } -> std::convertible_to<bool>;
  slot = *s();
};

/// What a pipeline can take batches of type `T` from.
template <class S, class T>
concept source_of = range_source<S, T> || filling_source<S, T> || optional_source<S, T>;

namespace detail {

/// Takes batches from the user's source, one at a time and only when asked; never again after it
/// ended, and never ahead of need.
template <class S, class T>
class puller {
 public:
  explicit puller(S&& source) : source_(std::forward<S>(source)) {}

  bool operator()(T& slot)
    requires(!range_source<S, T> && filling_source<S, T>)
  {
    return source_(slot);
  }
  bool operator()(T& slot)
    requires(!range_source<S, T> && !filling_source<S, T>)
  {
    auto next = source_();
    if (!next.has_value()) return false;
    slot = *std::move(next);
    return true;
  }

 private:
  S source_;
};

template <class S, class T>
  requires range_source<S, T>
class puller<S, T> {
 public:
  explicit puller(S&& source) : range_(std::forward<S>(source)) {}

  bool operator()(T& slot) {
    if (at_) {
      ++*at_;
    } else {
      at_.emplace(std::ranges::begin(range_));
    }
    if (*at_ == std::ranges::end(range_)) return false;
    slot = **at_;
    return true;
  }

 private:
  S range_;
  std::optional<decltype(std::ranges::begin(std::declval<S&>()))> at_;
};

}  // namespace detail
}  // namespace stretto
