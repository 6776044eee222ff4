// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include "completions.hpp"
#include "connect.hpp"
#include "environments.hpp"
#include "operations.hpp"
#include "receivers.hpp"
#include "schedulers.hpp"
#include "senders.hpp"

namespace stdexec {
namespace stand_in {

/// An environment in which the scheduler is another one.
template <class Scheduler, class Env>
class env_on {
 public:
  env_on(Scheduler on, Env&& env) : on_(std::move(on)), env_(std::forward<Env>(env)) {}
  Scheduler query(get_scheduler_t) const noexcept { return on_; }
  template <class Query>
    requires(!std::is_same_v<Query, get_scheduler_t> && answers<Env, Query>)
  auto query(Query what) const noexcept {
    return env_.query(what);
  }

 private:
  Scheduler on_;
  Env env_;
};

template <class Scheduler, class Receiver>
struct receiver_on {
  using receiver_concept = receiver_tag;

  template <class... Value>
  void set_value(Value&&... values) && noexcept {
    stdexec::set_value(std::move(to), std::forward<Value>(values)...);
  }
  template <class Error>
  void set_error(Error&& error) && noexcept {
    stdexec::set_error(std::move(to), std::forward<Error>(error));
  }
  void set_stopped() && noexcept { stdexec::set_stopped(std::move(to)); }
  auto get_env() const noexcept {
    return env_on<Scheduler, env_of_t<const Receiver&>>(on, stdexec::get_env(to));
  }

  Scheduler on;
  Receiver to;
};

template <class Scheduler, class Sender, class Receiver>
class operation_on {
  struct arrival {
    using receiver_concept = receiver_tag;
    void set_value() && noexcept { of->arrive(); }
    template <class Error>
    void set_error(Error&& error) && noexcept {
      stdexec::set_error(std::move(of->to_), std::forward<Error>(error));
    }
    void set_stopped() && noexcept { stdexec::set_stopped(std::move(of->to_)); }
    env_of_t<const Receiver&> get_env() const noexcept { return stdexec::get_env(of->to_); }
    operation_on* of;
  };
  using inner_receiver = receiver_on<Scheduler, Receiver>;

 public:
  using operation_state_concept = operation_state_tag;

  operation_on(Scheduler on, Sender&& from, Receiver to)
      : on_(on),
        from_(std::move(from)),
        to_(std::move(to)),
        going_(stdexec::connect(schedule(on), arrival{this})) {}
  operation_on(const operation_on&) = delete;
  operation_on& operator=(const operation_on&) = delete;
  ~operation_on() = default;

  void start() & noexcept { stdexec::start(going_); }

 private:
  void arrive() noexcept {
    std::exception_ptr error;
    try {
      there_.emplace(made_in_place{[&] {
        return stdexec::connect(std::move(from_), inner_receiver{on_, std::move(to_)});
      }});
    } catch (...) {
      error = std::current_exception();
    }
    if (error != nullptr) return stdexec::set_error(std::move(to_), std::move(error));
    stdexec::start(*there_);
  }

  Scheduler on_;
  Sender from_;
  Receiver to_;
  connect_result_t<decltype(schedule(std::declval<Scheduler&>())), arrival> going_;
  std::optional<connect_result_t<Sender, inner_receiver>> there_;
};

template <class Scheduler, class Sender>
struct sender_on {
  using sender_concept = adaptor_tag;

  template <class, class... Env>
  static consteval auto get_completion_signatures() {
    using going = decltype(schedule(std::declval<Scheduler&>()));
    return joined<completion_signatures_of_t<Sender, env_on<Scheduler, Env>...>,
                  made_of_each<none_of_values, completion_signatures_of_t<going, Env...>>,
                  completion_signatures<set_error_t(std::exception_ptr)>>();
  }
  template <receiver Receiver>
  operation_on<Scheduler, Sender, Receiver> connect(Receiver to) && {
    return {on, std::move(from), std::move(to)};
  }
  template <receiver Receiver>
    requires std::copy_constructible<Sender>
  operation_on<Scheduler, Sender, Receiver> connect(Receiver to) const& {
    return {on, Sender(from), std::move(to)};
  }

  Scheduler on;
  Sender from;
};

}  // namespace stand_in

/// Starts a sender on a scheduler: [exec.starts.on].
struct starts_on_t {
  template <scheduler Scheduler, sender Sender>
  auto operator()(Scheduler on, Sender&& from) const {
    return stand_in::sender_on<Scheduler, std::remove_cvref_t<Sender>>{std::move(on),
                                                                       std::forward<Sender>(from)};
  }
};
inline constexpr starts_on_t starts_on{};

}  // namespace stdexec
