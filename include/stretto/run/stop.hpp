// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <stretto/run/source.hpp>
#include <type_traits>
#include <utility>

namespace stretto {

/// What a run can be stopped by: `std::stop_token`, or anything else that says whether a stop is
/// requested. Asking must not throw, and must be possible on several threads at once.
template <class Type>
concept stoppable_token = requires(const std::remove_reference_t<Type>& token) {
  { token.stop_requested() } -> std::convertible_to<bool>;
};

namespace runner {

/// A token that says to start no more tasks.
template <class Token>
struct cancelling {
  Token token;
};

}  // namespace runner

/// For `pipeline::run`: when a stop is requested by \p token no more tasks start, and the batches
/// in flight are abandoned. (The token alone lets them go through.) An lvalue token is referred to,
/// an rvalue is kept in the run.
template <stoppable_token Token>
runner::cancelling<Token> cancel_on(Token&& token) {
  return {std::forward<Token>(token)};
}

namespace runner {

/// Stands where nobody can ask a run to stop.
struct unstoppable {};

namespace detail {

/// Takes batches from a source until a stop is requested: what follows is as if the source had
/// ended.
template <class Source, class Type, class Token>
class stoppable_puller {
 public:
  static constexpr bool abandons = false;
  static constexpr bool stops = true;
  static constexpr bool is_private = false;
  static constexpr bool may_pause = puller<Source, Type>::may_pause;

  stoppable_puller(Source&& source, Token&& token)
      : pull_(std::forward<Source>(source)), token_(std::forward<Token>(token)) {
    if constexpr (requires { pull_.follow(token_); }) pull_.follow(token_);
  }

  void request_stop() noexcept
    requires requires(puller<Source, Type>& p) { p.request_stop(); }
  {
    pull_.request_stop();
  }
  bool operator()(Type& slot) {
    if (!token_.stop_requested() && pull_(slot)) return true;
    // A source may have ended because it looks at the token as well.
    drained_ = token_.stop_requested();
    return false;
  }
  bool pull_whole(Type& slot)
    requires requires(puller<Source, Type>& p) { p.pull_whole(slot); }
  {
    if (!token_.stop_requested() && pull_.pull_whole(slot)) return true;
    drained_ = token_.stop_requested();
    return false;
  }
  /// Asked before there is a batch to pull for.
  bool stop_requested() { return drained_ = token_.stop_requested(); }
  bool drained() const { return drained_; }
  bool paused() const
    requires may_pause
  {
    return pull_.paused();
  }
  void resume()
    requires may_pause
  {
    pull_.resume();
  }

 private:
  puller<Source, Type> pull_;
  Token token_;
  bool drained_ = false;
};

template <class Source, class Type>
class stoppable_puller<Source, Type, unstoppable> : public puller<Source, Type> {
 public:
  static constexpr bool abandons = false;
  static constexpr bool stops = false;
  /// Whether a loop may have a copy of it.
  static constexpr bool is_private = is_private_source<Source> &&
                                     std::is_trivially_copyable_v<puller<Source, Type>> &&
                                     std::is_copy_constructible_v<puller<Source, Type>>;

  stoppable_puller(Source&& source, unstoppable)
      : puller<Source, Type>(std::forward<Source>(source)) {}
  static constexpr bool stop_requested() { return false; }
  static constexpr bool drained() { return false; }
};

/// A puller for runs in which every thread of the pipeline asks the token, not the one who pulls.
template <class Source, class Type, class Token>
class stoppable_puller<Source, Type, cancelling<Token>> : public puller<Source, Type> {
 public:
  static constexpr bool abandons = true;
  static constexpr bool stops = true;
  static constexpr bool is_private = false;

  stoppable_puller(Source&& source, cancelling<Token>&& stop)
      : puller<Source, Type>(std::forward<Source>(source)),
        token_(std::forward<Token>(stop.token)) {
    if constexpr (requires { this->follow(token_); }) this->follow(token_);
  }
  bool stop_requested() const { return token_.stop_requested(); }
  static constexpr bool drained() { return false; }
  const auto& token() const { return token_; }

 private:
  Token token_;
};

}  // namespace detail
}  // namespace runner
}  // namespace stretto
