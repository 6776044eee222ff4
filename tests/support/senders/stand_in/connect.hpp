// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include "operation_record.hpp"
#include "operations.hpp"
#include "receivers.hpp"
#include "senders.hpp"
#include "stop_tokens.hpp"

// connect: [exec.connect]. What a sender connects with is a receiver that looks at what it does, in
// an operation state that looks at what is done to it.
namespace stdexec {
namespace stand_in {

/// A receiver's environment, which its operation owns. `Env` is a reference if the receiver lends
/// it.
template <class Env>
class checked_env {
 public:
  checked_env(operation_record& record, Env&& env)
      : record_(&record), env_(std::forward<Env>(env)) {}

  template <class Query>
    requires answers<Env, Query>
  auto query(Query what) const noexcept {
    record_->use_receiver();
    if constexpr (std::is_same_v<std::remove_cvref_t<answer_of<Env, Query>>, inplace_stop_token>) {
      return env_.query(what).of(*record_);
    } else {
      return env_.query(what);
    }
  }

 private:
  operation_record* record_;
  Env env_;
};

template <class Receiver, class Signatures>
class checked_receiver {
 public:
  using receiver_concept = receiver_tag;

  template <class Given>
  checked_receiver(operation_record& record, Given&& given)
      : record_(&record), receiver_(std::forward<Given>(given)) {}
  checked_receiver(checked_receiver&& other) noexcept(
      std::is_nothrow_move_constructible_v<Receiver>)
      : record_(std::exchange(other.record_, nullptr)), receiver_(std::move(other.receiver_)) {}
  checked_receiver(const checked_receiver& other)
    requires std::copy_constructible<Receiver>
  = default;
  checked_receiver& operator=(const checked_receiver&) = delete;
  ~checked_receiver() = default;

  template <class... Value>
    requires announces<Signatures, set_value_t, Value...>
  void set_value(Value&&... values) && noexcept {
    if (may_complete()) stdexec::set_value(std::move(receiver_), std::forward<Value>(values)...);
  }
  template <class Error>
    requires announces<Signatures, set_error_t, Error>
  void set_error(Error&& error) && noexcept {
    if (may_complete()) stdexec::set_error(std::move(receiver_), std::forward<Error>(error));
  }
  void set_stopped() && noexcept
    requires announces<Signatures, set_stopped_t>
  {
    if (may_complete()) stdexec::set_stopped(std::move(receiver_));
  }
  auto get_env() const noexcept {
    if (has_moved()) std::abort();
    record_->use_receiver();
    return checked_env<env_of_t<const Receiver&>>(*record_, stdexec::get_env(receiver_));
  }

 private:
  bool has_moved() const noexcept {
    if (record_ == nullptr) breach("a receiver that was moved from is used");
    return record_ == nullptr;
  }
  bool may_complete() const noexcept { return !has_moved() && record_->complete(); }

  operation_record* record_;  // null: it was moved from
  Receiver receiver_;
};

template <class Sender, class Receiver>
using checked_receiver_for =
    checked_receiver<Receiver, completion_signatures_of_t<Sender, env_of_t<const Receiver&>>>;

template <class Sender, class Receiver>
using connected = decltype(std::declval<Sender>().connect(
    std::declval<checked_receiver_for<Sender, Receiver>>()));

/// Whether a sender, as an lvalue or an rvalue, is one for a receiver, and connects with it.
template <class Sender, class Receiver>
concept connectable =
    sender_in<Sender, env_of_t<const Receiver&>> &&
    announces_alike<Sender, env_of_t<const Receiver&>>() &&
    receiver_of<Receiver, completion_signatures_of_t<Sender, env_of_t<const Receiver&>>> &&
    operation_state<connected<Sender, Receiver>>;

template <class Sender, class Receiver>
class checked_operation {
 public:
  using operation_state_concept = operation_state_tag;

  template <class Given>
  checked_operation(Sender&& sender, Given&& receiver)
      : record_(operation_record::make()),
        operation_(std::forward<Sender>(sender).connect(
            checked_receiver_for<Sender, Receiver>(record_, std::forward<Given>(receiver)))) {}
  checked_operation(const checked_operation&) = delete;
  checked_operation& operator=(const checked_operation&) = delete;
  ~checked_operation() { record_.destroy(); }

  void start() & noexcept {
    if (record_.start()) stdexec::start(operation_);  // and is gone, perhaps
  }

 private:
  operation_record& record_;
  connected<Sender, Receiver> operation_;
};

/// Makes an operation state in place, for those that keep it in an optional.
template <class Make>
struct made_in_place {
  Make make;
  operator std::invoke_result_t<Make&>() { return make(); }
};
template <class Make>
made_in_place(Make) -> made_in_place<Make>;

}  // namespace stand_in

struct connect_t {
  template <class Sender, class Receiver>
    requires stand_in::connectable<Sender, std::remove_cvref_t<Receiver>> && receiver<Receiver>
  auto operator()(Sender&& from, Receiver&& to) const {
    return stand_in::checked_operation<Sender, std::remove_cvref_t<Receiver>>(
        std::forward<Sender>(from), std::forward<Receiver>(to));
  }
};
inline constexpr connect_t connect{};

template <class Sender, class Receiver>
using connect_result_t = decltype(connect(std::declval<Sender>(), std::declval<Receiver>()));

template <class Sender, class Receiver>
concept sender_to = requires(Sender&& from, Receiver&& to) {
  connect(std::forward<Sender>(from), std::forward<Receiver>(to));
};

}  // namespace stdexec
