// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <optional>
#include <stop_token>
#include <stretto/run/source.hpp>
#include <type_traits>
#include <utility>

namespace stretto {

namespace runner::detail {

// A generic lambda that takes a slot, or a slot and a bool, is not asked about a token in that
// place: to tell what it returns its body would be compiled.
template <class Given, class Value>
concept fills_until_told =
    !says_or_waits<Given, Value> && requires(Given& s, Value& slot, std::stop_token (*token)()) {
      { s(slot, token()) } -> says_of_a_batch;
    } && !fills_in_vain<Given, Value, std::stop_token>;
template <class Given, class Value>
concept fills_or_waits_until_told =
    requires(Given& s, Value& slot, bool may_wait, std::stop_token (*token)()) {
      { s(slot, may_wait, token()) } -> std::same_as<pulled>;
    } && !fills_in_vain<Given, Value, bool, std::stop_token>;
template <class Given, class Value>
concept makes_until_told =
    !std::is_invocable_v<Given&, Value&> && requires(Given& s, std::stop_token (*token)()) {
      { s(token()).has_value() } -> std::convertible_to<bool>;
      { *s(token()) } -> goes_into<Value>;
    };

}  // namespace runner::detail

/// A source that waits for batches in the user's code, and is told when nothing more is wanted of
/// it: a callable as any source's that takes a `std::stop_token` besides, last: `bool(T&,
/// std::stop_token)`, `std::optional<U>(std::stop_token)`, `pulled(T&, std::stop_token)`,
/// `pulled(T&, bool may_wait, std::stop_token)`. A stop is requested of it when a task fails, when
/// the run is left, cancelled or destroyed, and when the run's own `std::stop_token` asks for one;
/// not when the source has ended. What it returns then is not used, unless it is a batch, which
/// `report().in_flight` lists.
template <class Given, class Value>
concept told_source = runner::detail::fills_until_told<Given, Value> ||
                      runner::detail::fills_or_waits_until_told<Given, Value> ||
                      runner::detail::makes_until_told<Given, Value>;

namespace runner::detail {

template <class Given, class Value>
  requires told_source<Given, Value>
inline constexpr bool is_told<Given, Value> = true;
template <class Given, class Value>
  requires told_source<Given, Value>
inline constexpr bool pauses_until_told<Given, Value> = [] {
  if constexpr (fills_or_waits_until_told<Given, Value>) {
    return true;
  } else if constexpr (fills_until_told<Given, Value>) {
    return std::same_as<
        std::invoke_result_t<std::remove_reference_t<Given>&, Value&, std::stop_token>, pulled>;
  } else {
    return false;
  }
}();

template <class Given, class Value>
  requires told_source<Given, Value>
class puller<Given, Value> {
 public:
  static constexpr bool may_pause = pauses_until_told<Given, Value>;

  explicit puller(Given&& source) : source_(std::forward<Given>(source)) {}
  puller(const puller&) = delete;
  puller& operator=(const puller&) = delete;

  bool operator()(Value& slot) {
    if constexpr (may_pause) {
      const pulled said = ask(slot);
      paused_ = said == pulled::nothing_yet;
      return said == pulled::batch;
    } else if constexpr (fills_until_told<Given, Value>) {
      return source_(slot, stop_.get_token());
    } else {
      auto next = source_(stop_.get_token());
      if (!next.has_value()) return false;
      slot = *std::move(next);
      return true;
    }
  }
  bool paused() const
    requires may_pause
  {
    return paused_;
  }
  void resume()
    requires may_pause
  {
    paused_ = false;
    may_wait_ = true;
  }

  /// Nothing more is wanted of the source. From any thread.
  void request_stop() noexcept { stop_.request_stop(); }
  /// Nor is it when somebody requests a stop by \p token, from the same moment on.
  void follow(const std::stop_token& token) { following_.emplace(token, asking{&stop_}); }

 private:
  pulled ask(Value& slot) {
    if constexpr (fills_or_waits_until_told<Given, Value>) {
      return source_(slot, std::exchange(may_wait_, false),
                     stop_.get_token());  // also if it throws
    } else {
      return source_(slot, stop_.get_token());
    }
  }

  struct asking {
    std::stop_source* stop;
    void operator()() const noexcept { stop->request_stop(); }
  };

  Given source_;
  std::stop_source stop_;
  std::optional<std::stop_callback<asking>> following_;
  bool paused_ = false;
  bool may_wait_ = true;
};

}  // namespace runner::detail
}  // namespace stretto
