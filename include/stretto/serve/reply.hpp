// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <exception>
#include <future>
#include <stretto/run/error.hpp>
#include <stretto/serve/answer.hpp>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace stretto::serving::detail {

/// Whom the answer of a request goes to.
template <class Result>
class reply {
 public:
  reply() = default;
  reply(const reply&) = delete;
  reply& operator=(const reply&) = delete;
  virtual ~reply() = default;
  /// Ends the program if the user's callback throws: nobody waits for that.
  virtual void give(const answer<Result>& given) noexcept = 0;
};

[[noreturn, gnu::cold]] inline void end_by_callback(const char* thrown) noexcept {
  const std::string why =
      std::string("the callback of a request threw what nobody is there to catch: ") + thrown +
      "; let callbacks of a server catch what they throw, and that `ask` and `try_ask` in them "
      "throw "
      "`unanswered` once the server takes no more";
  runner::end_program(why.c_str());
}

template <class Result, class Callback>
class callback_reply final : public reply<Result> {
 public:
  explicit callback_reply(Callback callback) : callback_(std::move(callback)) {}
  void give(const answer<Result>& given) noexcept override {
    try {
      static_cast<void>(callback_(given));
    } catch (...) {
      end_by_callback(runner::what_was_thrown());
    }
  }

 private:
  Callback callback_;
};

template <class Kept, class Lent>
Kept kept_value(Lent& lent) {
  if constexpr (std::constructible_from<Kept, const Lent&>) {
    return static_cast<Kept>(std::as_const(lent));
  } else {
    return static_cast<Kept>(std::move(lent));
  }
}

/// What stays of a result when its run goes on: a copy, or what can only be moved out of the slot.
template <class Kept>
struct keep {
  template <class Lent>
  static Kept of(Lent& lent) {
    return kept_value<Kept>(lent);
  }
};
template <class... Kept>
struct keep<std::tuple<Kept...>> {
  template <class Lent>  // a slot whose value is a tuple
  static std::tuple<Kept...> of(Lent& lent) {
    return kept_value<std::tuple<Kept...>>(lent);
  }
  template <class... Lent>  // several slots
    requires(sizeof...(Kept) == sizeof...(Lent))
  static std::tuple<Kept...> of(std::tuple<Lent&...> lent) {
    return std::apply([](Lent&... each) { return std::tuple<Kept...>(kept_value<Kept>(each)...); },
                      lent);
  }
};

template <class Result, class Kept>
class future_reply : public reply<Result> {
 public:
  std::future<Kept> get_future() { return promise_.get_future(); }
  void give(const answer<Result>& given) noexcept override {
    if (given.error() != nullptr) return promise_.set_exception(given.error());
    try {
      if constexpr (std::is_void_v<Kept>) {
        promise_.set_value();
      } else {
        auto&& result = given.get();
        promise_.set_value(keep<Kept>::of(result));
      }
    } catch (...) {  // what the copy threw is the request's own trouble
      promise_.set_exception(std::current_exception());
    }
  }

 private:
  std::promise<Kept> promise_;
};

}  // namespace stretto::serving::detail
