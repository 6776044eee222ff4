// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <coroutine>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include "completions.hpp"
#include "connect.hpp"
#include "environments.hpp"
#include "operations.hpp"
#include "receivers.hpp"
#include "schedulers.hpp"
#include "senders.hpp"
#include "stop_tokens.hpp"

namespace stdexec {
namespace stand_in {

/// What an operation is to the coroutine in it.
struct task_host {
  /// Resumes the coroutine on the scheduler on which it began.
  virtual void resume_there() noexcept = 0;
  /// The coroutine has come to its end, or is not to go on. It is suspended.
  virtual void end(bool stopped) noexcept = 0;
  inplace_stop_token token;

 protected:
  ~task_host() = default;
};

struct task_env {
  task_host* of;
  inplace_stop_token query(get_stop_token_t) const noexcept { return of->token; }
};

template <class... Value>
struct awaited_value {
  using type = std::tuple<Value...>;
};
template <class Value>
struct awaited_value<Value> {
  using type = Value;
};
template <>
struct awaited_value<> {
  using type = void;
};

/// A sender that a coroutine awaits, which goes on where it was before: as if by `affine_on`.
template <class Sender>
class task_awaiter {
  using value =
      typename value_list<completion_signatures_of_t<Sender, task_env>, awaited_value>::type;
  using kept = std::conditional_t<std::is_void_v<value>, std::monostate, value>;

  struct sent {
    using receiver_concept = receiver_tag;
    template <class... Value>
    void set_value(Value&&... values) && noexcept {
      try {
        to->value_.emplace(std::forward<Value>(values)...);
      } catch (...) {
        to->error_ = std::current_exception();
      }
      to->host_->resume_there();
    }
    template <class Error>
    void set_error(Error&& error) && noexcept {
      if constexpr (std::is_same_v<std::decay_t<Error>, std::exception_ptr>) {
        to->error_ = std::forward<Error>(error);
      } else {
        to->error_ = std::make_exception_ptr(std::forward<Error>(error));
      }
      to->host_->resume_there();
    }
    void set_stopped() && noexcept { to->host_->end(true); }
    task_env get_env() const noexcept { return {to->host_}; }
    task_awaiter* to;
  };

 public:
  task_awaiter(Sender&& from, task_host* host)
      : host_(host), operation_(stdexec::connect(std::forward<Sender>(from), sent{this})) {}
  task_awaiter(const task_awaiter&) = delete;
  task_awaiter& operator=(const task_awaiter&) = delete;
  ~task_awaiter() = default;

  static constexpr bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) noexcept { start(operation_); }
  value await_resume() {
    if (error_ != nullptr) std::rethrow_exception(std::move(error_));
    if constexpr (!std::is_void_v<value>) return std::move(*value_);
  }

 private:
  task_host* host_;
  std::optional<kept> value_;
  std::exception_ptr error_;
  connect_result_t<Sender, sent> operation_;
};

template <class Value>
struct task_result {
  std::optional<Value> value;
  template <class Given = Value>
  void return_value(Given&& given) {
    value.emplace(std::forward<Given>(given));
  }
};
template <>
struct task_result<void> {
  void return_void() const noexcept {}
};

}  // namespace stand_in

/// A coroutine that awaits senders: [exec.task]. It needs a scheduler in the environment of its
/// receiver, and goes on there whenever what it awaits completes. Stop tokens of other types than
/// `inplace_stop_token` do not reach what it awaits.
template <class Value>
class [[nodiscard]] task {
 public:
  using sender_concept = sender_tag;

  struct promise_type : stand_in::task_result<Value> {
    struct end_awaiter {
      static constexpr bool await_ready() noexcept { return false; }
      static void await_suspend(std::coroutine_handle<promise_type> at) noexcept {
        at.promise().host->end(false);
      }
      static void await_resume() noexcept {}
    };
    task get_return_object() noexcept { return task(handle::from_promise(*this)); }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static end_awaiter final_suspend() noexcept { return {}; }
    void unhandled_exception() noexcept { error = std::current_exception(); }
    template <sender_in<stand_in::task_env> Sender>
    stand_in::task_awaiter<Sender> await_transform(Sender&& from) {
      return {std::forward<Sender>(from), host};
    }

    stand_in::task_host* host = nullptr;
    std::exception_ptr error;
  };

 private:
  using handle = std::coroutine_handle<promise_type>;

  /// Destroys its coroutine.
  class owner {
   public:
    explicit owner(handle of) : of_(of) {}
    owner(owner&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    owner& operator=(owner&&) = delete;
    ~owner() { reset(); }
    void reset() {
      if (const handle of = std::exchange(of_, nullptr)) of.destroy();
    }
    handle get() const { return of_; }

   private:
    handle of_;
  };

  template <class Receiver>
  class operation final : stand_in::task_host {
    struct arrival {
      using receiver_concept = receiver_tag;
      void set_value() && noexcept { of->coroutine_.get().resume(); }
      template <class Error>
      void set_error(Error&& error) && noexcept {
        of->coroutine_.reset();
        stdexec::set_error(std::move(of->to_), std::forward<Error>(error));
      }
      void set_stopped() && noexcept { of->end(true); }
      operation* of;
    };
    using scheduler = decltype(get_scheduler(std::declval<env_of_t<const Receiver&>>()));

   public:
    using operation_state_concept = operation_state_tag;

    operation(owner&& coroutine, Receiver to)
        : coroutine_(std::move(coroutine)), to_(std::move(to)) {
      coroutine_.get().promise().host = this;
    }
    operation(const operation&) = delete;
    operation& operator=(const operation&) = delete;
    ~operation() = default;

    void start() & noexcept {
      const auto env = stdexec::get_env(to_);
      if constexpr (std::is_same_v<stop_token_of_t<decltype(env)>, inplace_stop_token>)
        this->token = get_stop_token(env);
      on_.emplace(get_scheduler(env));
      coroutine_.get().resume();
    }

   private:
    void resume_there() noexcept override {
      going_.emplace(stand_in::made_in_place{
          [this] { return stdexec::connect(schedule(*on_), arrival{this}); }});
      stdexec::start(*going_);
    }
    void end(bool stopped) noexcept override {
      promise_type& promise = coroutine_.get().promise();
      std::exception_ptr error = std::move(promise.error);
      if constexpr (std::is_void_v<Value>) {
        coroutine_.reset();
        if (!stopped && error == nullptr) return set_value(std::move(to_));
      } else {
        std::optional<Value> value = std::move(promise.value);
        coroutine_.reset();
        if (!stopped && error == nullptr) return set_value(std::move(to_), std::move(*value));
      }
      if (stopped) return set_stopped(std::move(to_));
      set_error(std::move(to_), std::move(error));
    }

    owner coroutine_;
    Receiver to_;
    std::optional<scheduler> on_;
    std::optional<connect_result_t<decltype(schedule(std::declval<scheduler&>())), arrival>> going_;
  };

 public:
  template <class, class...>
  static consteval auto get_completion_signatures() {
    using value = std::conditional_t<std::is_void_v<Value>, completion_signatures<set_value_t()>,
                                     completion_signatures<typename sent<Value>::type>>;
    return stand_in::joined<
        value, completion_signatures<set_error_t(std::exception_ptr), set_stopped_t()>>();
  }
  template <receiver Receiver>
  operation<Receiver> connect(Receiver to) && {
    return {std::move(coroutine_), std::move(to)};
  }

 private:
  template <class Sent, class = void>
  struct sent {
    using type = set_value_t(Sent);
  };
  template <class Nothing>
  struct sent<void, Nothing> {
    using type = set_value_t();
  };

  explicit task(handle of) : coroutine_(of) {}

  owner coroutine_;
};

}  // namespace stdexec
