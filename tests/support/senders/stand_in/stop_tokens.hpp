// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <concepts>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>
#include "environments.hpp"
#include "operation_record.hpp"

// Stop tokens: [thread.stoptoken], [exec.get.stop.token].
namespace stdexec {

namespace stand_in {

template <class Token>
struct callbacks_of;
template <class Token>
  requires std::is_class_v<Token>
struct callbacks_of<Token> {
  template <class Callback>
  using type = typename Token::template callback_type<Callback>;
};
template <>  // which has no `callback_type` before C++26
struct callbacks_of<std::stop_token> {
  template <class Callback>
  using type = std::stop_callback<Callback>;
};

struct nothing {
  void operator()() const noexcept {}
};

}  // namespace stand_in

template <class Token, class Callback>
using stop_callback_for_t = typename stand_in::callbacks_of<Token>::template type<Callback>;

template <class Token>
concept stoppable_token = requires(const Token& token) {
  typename stop_callback_for_t<Token, stand_in::nothing>;
  { token.stop_requested() } noexcept -> std::same_as<bool>;
  { token.stop_possible() } noexcept -> std::same_as<bool>;
  { Token(token) } noexcept;
} && std::copyable<Token> && std::equality_comparable<Token>;

template <class Token>
concept unstoppable_token = stoppable_token<Token> && requires {
  requires std::bool_constant<!Token::stop_possible()>::value;
};

class never_stop_token {
  struct callback {
    template <class Given>
    explicit callback(never_stop_token, Given&&) noexcept {}
  };

 public:
  template <class>
  using callback_type = callback;
  static constexpr bool stop_requested() noexcept { return false; }
  static constexpr bool stop_possible() noexcept { return false; }
  bool operator==(const never_stop_token&) const = default;
};

class inplace_stop_token;
template <class Callback>
class inplace_stop_callback;

class inplace_stop_source {
 public:
  inplace_stop_source() = default;
  inplace_stop_source(const inplace_stop_source&) = delete;
  inplace_stop_source& operator=(const inplace_stop_source&) = delete;
  ~inplace_stop_source() {
    if (!registered_.empty())
      stand_in::breach("a stop source is destroyed while a callback of its is registered");
  }

  inplace_stop_token get_token() const noexcept;
  static constexpr bool stop_possible() noexcept { return true; }
  bool stop_requested() const noexcept {
    const std::lock_guard hold(lock_);
    return requested_;
  }
  bool request_stop() noexcept {
    std::unique_lock hold(lock_);
    if (std::exchange(requested_, true)) return false;
    requests_ = std::this_thread::get_id();
    while (!registered_.empty()) {
      running_ = registered_.back();
      registered_.pop_back();
      hold.unlock();
      running_->run();
      hold.lock();
      running_ = nullptr;
      ran_.notify_all();
    }
    return true;
  }

 private:
  template <class Callback>
  friend class inplace_stop_callback;

  struct callback {
    virtual void run() noexcept = 0;

   protected:
    ~callback() = default;
  };

  /// False if a stop was requested before.
  bool add(callback* of) const {
    const std::lock_guard hold(lock_);
    if (!requested_) registered_.push_back(of);
    return !requested_;
  }
  /// Returns when the callback does not run, unless it is what calls this.
  void remove(callback* of) const noexcept {
    std::unique_lock hold(lock_);
    if (std::erase(registered_, of) != 0 || requests_ == std::this_thread::get_id()) return;
    ran_.wait(hold, [&] { return running_ != of; });
  }

  mutable std::mutex lock_;
  mutable std::condition_variable ran_;
  mutable std::vector<callback*> registered_;
  callback* running_ = nullptr;
  std::thread::id requests_;
  bool requested_ = false;
};

class inplace_stop_token {
 public:
  template <class Callback>
  using callback_type = inplace_stop_callback<Callback>;

  inplace_stop_token() = default;

  bool stop_requested() const noexcept {
    if (record_ != nullptr) record_->ask_token();
    return source_ != nullptr && source_->stop_requested();
  }
  bool stop_possible() const noexcept { return source_ != nullptr; }
  /// Whether they are of one source.
  bool operator==(const inplace_stop_token& other) const noexcept {
    return source_ == other.source_;
  }

  /// As the token of an operation's receiver, for as long as the operation runs.
  inplace_stop_token of(stand_in::operation_record& record) const noexcept {
    return {source_, &record};
  }

 private:
  friend inplace_stop_source;
  template <class Callback>
  friend class inplace_stop_callback;

  inplace_stop_token(const inplace_stop_source* source, stand_in::operation_record* record) noexcept
      : source_(source), record_(record) {}

  const inplace_stop_source* source_ = nullptr;
  stand_in::operation_record* record_ = nullptr;
};

inline inplace_stop_token inplace_stop_source::get_token() const noexcept {
  return {this, nullptr};
}

template <class Callback>
class inplace_stop_callback final : inplace_stop_source::callback {
 public:
  template <class Given>
    requires std::constructible_from<Callback, Given>
  explicit inplace_stop_callback(inplace_stop_token token, Given&& given)
      : source_(token.source_), record_(token.record_), call_(std::forward<Given>(given)) {
    if (record_ != nullptr) record_->add_callback();
    if (source_ != nullptr && !source_->add(this)) std::move(call_)();
  }
  inplace_stop_callback(const inplace_stop_callback&) = delete;
  inplace_stop_callback& operator=(const inplace_stop_callback&) = delete;
  ~inplace_stop_callback() {
    if (source_ != nullptr) source_->remove(this);
    if (record_ != nullptr) record_->remove_callback();
  }

 private:
  void run() noexcept override { std::move(call_)(); }

  const inplace_stop_source* source_;
  stand_in::operation_record* record_;
  Callback call_;
};
template <class Callback>
inplace_stop_callback(inplace_stop_token, Callback) -> inplace_stop_callback<Callback>;

struct get_stop_token_t {
  template <class Env>
  auto operator()(const Env& env) const noexcept {
    if constexpr (stand_in::answers<Env, get_stop_token_t>) {
      static_assert(
          stoppable_token<std::remove_cvref_t<stand_in::answer_of<Env, get_stop_token_t>>>);
      return env.query(*this);
    } else {
      static_assert(
          !requires { env.query(*this); }, "query() is noexcept");
      return never_stop_token();
    }
  }
};
inline constexpr get_stop_token_t get_stop_token{};

template <class Env>
using stop_token_of_t = std::remove_cvref_t<decltype(get_stop_token(std::declval<Env>()))>;

}  // namespace stdexec
