// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>  // std::ranges::begin and what iterators are, without the streams of <iterator>
#include <stretto/declare/pack.hpp>
#include <stretto/declare/parameter.hpp>
#include <type_traits>
#include <utility>

namespace stretto {

namespace runner::detail {

template <class Given>
concept any_range = requires(Given& s) {
  { std::ranges::begin(s) } -> std::input_iterator;
  { std::ranges::end(s) } -> std::sentinel_for<decltype(std::ranges::begin(s))>;
};

/// Whether the largest integer of one type is beyond that of another. A type without a sign takes
/// those with one, as ranges of indices have them.
template <class From, class To>
consteval bool overflows() {
  if constexpr (std::is_integral_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
    return static_cast<std::uintmax_t>((std::numeric_limits<From>::max)()) >
           static_cast<std::uintmax_t>((std::numeric_limits<To>::max)());
  } else {
    return false;
  }
}

}  // namespace runner::detail

namespace runner {

/// Numbers that the language turns into those of a kind that cannot say what they say: a fraction
/// into an integer, an integer into a smaller one, any number into whether it is one other than 0.
template <class From, class To>
inline constexpr bool cuts_off =
    (std::is_floating_point_v<From> && std::is_integral_v<To>) || detail::overflows<From, To>() ||
    (std::is_same_v<To, bool> && !std::is_same_v<From, bool> &&
     (std::is_arithmetic_v<From> || std::is_pointer_v<std::decay_t<From>>));

/// Numbers that a class takes in an assignment for something else than its value: a std::string
/// takes one for a character.
template <class From, class To>
inline constexpr bool is_taken_amiss =
    std::is_arithmetic_v<From> && std::is_class_v<To> && !std::is_constructible_v<To, From>;

}  // namespace runner

namespace runner::detail {

/// What can be assigned to a slot, and is then there.
template <class Element, class Value>
concept goes_into =
    requires(Value& slot, Element&& element) { slot = static_cast<Element&&>(element); } &&
    !cuts_off<std::remove_cvref_t<Element>, Value> &&
    !is_taken_amiss<std::remove_cvref_t<Element>, Value>;

/// A list that is written where the run is made, and does not own its elements: they are gone when
/// the run asks for them.
template <class Given>
inline constexpr bool is_passing_list = false;
template <class Element>
inline constexpr bool is_passing_list<std::initializer_list<Element>> = true;
template <class Element>
inline constexpr bool is_passing_list<const std::initializer_list<Element>> = true;

template <class Given, class Value>
concept copied_range = any_range<Given> && requires(Given& s) {
  { *std::ranges::begin(s) } -> goes_into<Value>;
};
/// A container that is given away, of elements that can only be moved.
template <class Given, class Value>
concept moved_range =
    any_range<Given> && !copied_range<Given, Value> && !std::is_reference_v<Given> &&
    !std::is_const_v<Given> && !std::ranges::enable_view<Given> && requires(Given& s) {
      { std::ranges::iter_move(std::ranges::begin(s)) } -> goes_into<Value>;
    };

/// A function that gets a slot to fill, and takes a copy of it or a const one: what it puts there
/// is lost.
template <class Given, class Value, class... More>
concept fills_in_vain =
    declare::call_at<std::remove_cvref_t<Given>, 0,
                     pack<Value&, More...>>::type::template loses_changes<Value>();

}  // namespace runner::detail

/// A range whose elements can be put into a source slot of type `T`. What can only be moved is
/// moved out of a container that is given away: `run(std::move(requests))`.
template <class Given, class Value>
concept range_source =
    !runner::detail::is_passing_list<Given> &&
    (runner::detail::copied_range<Given, Value> || runner::detail::moved_range<Given, Value>);

/// A callable `bool(T&)` that fills the slot in place and returns false at the end: no copy, and
/// the memory of an earlier batch can be used again. (One that takes a copy fills nothing, and one
/// that returns a number may mean that something is wrong.)
template <class Given, class Value>
concept filling_source =
    std::is_invocable_r_v<bool, Given&, Value&> &&
    !runner::cuts_off<std::remove_cvref_t<std::invoke_result_t<Given&, Value&>>, bool> &&
    !runner::detail::fills_in_vain<Given, Value>;

/// A callable that returns `std::optional<U>`, empty at the end; `U` can be put into `T`.
template <class Given, class Value>
concept optional_source = requires(Given& s) {
  { s().has_value() } -> std::convertible_to<bool>;
  { *s() } -> runner::detail::goes_into<Value>;
};

/// What a source says that may have nothing yet: see `pausing_source`.
enum class pulled : unsigned char {
  end,         ///< there are no more batches
  batch,       ///< it has filled the slot
  nothing_yet  ///< there is none now, but there may be one later: what is in flight is to go on
};

namespace runner::detail {

/// What a function returns that says whether it filled a slot.
template <class Returned>
concept says_of_a_batch = std::same_as<std::remove_cvref_t<Returned>, bool> ||
                          std::same_as<std::remove_cvref_t<Returned>, pulled>;

template <class Given, class Value>
concept says_at_once = requires(Given& s, Value& slot) {
  { s(slot) } -> std::same_as<pulled>;
} && !fills_in_vain<Given, Value>;
template <class Given, class Value>
concept says_or_waits = requires(Given& s, Value& slot, bool may_wait) {
  { s(slot, may_wait) } -> std::same_as<pulled>;
} && !fills_in_vain<Given, Value, bool>;

}  // namespace runner::detail

/// A callable `pulled(T&)` or `pulled(T&, bool may_wait)` that fills the slot, or says that there
/// is nothing yet, or that it has ended. After `nothing_yet` what is in flight goes through without
/// waiting for another batch; then it is asked again, the first time with `may_wait` true: nothing
/// is in flight, so that it may wait for a batch.
template <class Given, class Value>
concept pausing_source =
    runner::detail::says_at_once<Given, Value> || runner::detail::says_or_waits<Given, Value>;

namespace runner::detail {

/// Sources that are made of others say themselves whether they go into a slot: `fits`, and why not,
/// `diagnostic`.
template <class Given>
struct combined : std::false_type {};

template <class Given, class Value>
concept combined_source = combined<std::remove_cvref_t<Given>>::value &&
                          combined<std::remove_cvref_t<Given>>::template fits<Given, Value>();

}  // namespace runner::detail

namespace runner::detail {

/// Whether a callable takes a `std::stop_token` besides: see run/told_source.hpp.
template <class Given, class Value>
inline constexpr bool is_told = false;
/// And whether such a one may have nothing yet.
template <class Given, class Value>
inline constexpr bool pauses_until_told = false;

}  // namespace runner::detail

/// What a pipeline can take batches of type `T` from. (One that takes a `std::stop_token`, with
/// `<stretto/sources.hpp>`: see `told_source`.)
template <class Given, class Value>
concept source_of =
    range_source<Given, Value> || filling_source<Given, Value> || optional_source<Given, Value> ||
    pausing_source<Given, Value> || runner::detail::combined_source<Given, Value> ||
    runner::detail::is_told<Given, Value>;

namespace runner {

/// Asks a source that is to go on behind what it throws on: of one that is made of others, each has
/// given its part of the batch then.
template <class Pull, class Value>
bool pull_whole(Pull& pull, Value& slot) {
  if constexpr (requires { pull.pull_whole(slot); }) {
    return pull.pull_whole(slot);
  } else {
    return pull(slot);
  }
}

}  // namespace runner

namespace runner::detail {

/// Whether a loop may take batches from a copy of a source, and put that back when it is done: of
/// one that was given away, and is a few words. (A container is not: its iterators lead into it.)
template <class Given>
inline constexpr bool is_private_source =
    std::is_trivially_copyable_v<Given> && std::is_copy_constructible_v<Given> &&
    sizeof(Given) <= 8 * sizeof(void*) &&
    (!any_range<Given> || std::ranges::enable_borrowed_range<Given>);

/// Takes batches from the user's source, one at a time and only when asked; never again after it
/// ended, and never ahead of need.
template <class Given, class Value>
class puller {
 public:
  static constexpr bool may_pause = false;

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
  static constexpr bool may_pause = false;

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

template <class Given, class Value>
  requires(pausing_source<Given, Value> && !range_source<Given, Value>)
class puller<Given, Value> {
 public:
  static constexpr bool may_pause = true;

  explicit puller(Given&& source) : source_(std::forward<Given>(source)) {}

  bool operator()(Value& slot) {
    const pulled said = ask(slot);
    paused_ = said == pulled::nothing_yet;
    return said == pulled::batch;
  }
  /// Whether it has said that there is nothing yet. Asked when all threads have left.
  bool paused() const { return paused_; }
  /// Nothing is in flight any more.
  void resume() {
    paused_ = false;
    may_wait_ = true;
  }

 private:
  pulled ask(Value& slot) {
    if constexpr (says_or_waits<Given, Value>) {
      return source_(slot, std::exchange(may_wait_, false));  // also if it throws
    } else {
      return source_(slot);
    }
  }

  Given source_;
  bool paused_ = false;
  bool may_wait_ = true;
};

}  // namespace runner::detail
}  // namespace stretto
