// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
#include <functional>
#include <type_traits>
#include <utility>
#include "completions.hpp"
#include "connect.hpp"
#include "environments.hpp"
#include "receivers.hpp"
#include "senders.hpp"

namespace stdexec {
namespace stand_in {

/// What makes a sender of another one: `sender | adaptor`.
template <class Adapt>
struct adaptor {
  Adapt adapt;
  template <sender Sender>
  friend auto operator|(Sender&& from, adaptor by) {
    return std::move(by.adapt)(std::forward<Sender>(from));
  }
};
template <class Adapt>
adaptor(Adapt) -> adaptor<Adapt>;

template <class Result>
struct signature_of_result {
  using type = set_value_t(Result);
};
template <>
struct signature_of_result<void> {
  using type = set_value_t();
};

template <class Use>
struct after_then : same_unless_value {
  using same_unless_value::of;
  template <class... Value>
  static auto of(set_value_t (*)(Value...)) -> joined<
      completion_signatures<
          typename signature_of_result<std::invoke_result_t<Use, Value...>>::type>,
      std::conditional_t<std::is_nothrow_invocable_v<Use, Value...>, completion_signatures<>,
                         completion_signatures<set_error_t(std::exception_ptr)>>>;
};

template <class Use, class Receiver>
struct then_receiver {
  using receiver_concept = receiver_tag;

  template <class... Value>
  void set_value(Value&&... values) && noexcept {
    if constexpr (std::is_nothrow_invocable_v<Use, Value...>) {
      send(std::forward<Value>(values)...);
    } else {
      std::exception_ptr error;
      try {
        return send(std::forward<Value>(values)...);
      } catch (...) {
        error = std::current_exception();
      }
      stdexec::set_error(std::move(to), std::move(error));
    }
  }
  template <class Error>
  void set_error(Error&& error) && noexcept {
    stdexec::set_error(std::move(to), std::forward<Error>(error));
  }
  void set_stopped() && noexcept { stdexec::set_stopped(std::move(to)); }
  env_of_t<const Receiver&> get_env() const noexcept { return stdexec::get_env(to); }

  Use use;
  Receiver to;

 private:
  template <class... Value>
  void send(Value&&... values) {
    if constexpr (std::is_void_v<std::invoke_result_t<Use, Value...>>) {
      std::invoke(std::move(use), std::forward<Value>(values)...);
      stdexec::set_value(std::move(to));
    } else {
      stdexec::set_value(std::move(to),
                         std::invoke(std::move(use), std::forward<Value>(values)...));
    }
  }
};

template <class Sender, class Use>
struct then_sender {
  using sender_concept = adaptor_tag;

  template <class Self, class... Env>
  static consteval auto get_completion_signatures() {
    using from = decltype((std::declval<Self>().from));
    return made_of_each<after_then<Use>, completion_signatures_of_t<from, Env...>>();
  }
  template <receiver Receiver>
  auto connect(Receiver to) && {
    return stdexec::connect(std::move(from),
                            then_receiver<Use, Receiver>{std::move(use), std::move(to)});
  }
  template <receiver Receiver>
  auto connect(Receiver to) const&
    requires std::copy_constructible<Use> && sender_to<const Sender&, then_receiver<Use, Receiver>>
  {
    return stdexec::connect(from, then_receiver<Use, Receiver>{use, std::move(to)});
  }

  Sender from;
  Use use;
};

}  // namespace stand_in

/// Sends what a function makes of values: [exec.then].
struct then_t {
  template <sender Sender, class Use>
  auto operator()(Sender&& from, Use&& use) const {
    return stand_in::then_sender<std::remove_cvref_t<Sender>, std::decay_t<Use>>{
        std::forward<Sender>(from), std::forward<Use>(use)};
  }
  template <class Use>
  auto operator()(Use use) const {
    return stand_in::adaptor{[use = std::move(use)]<class Sender>(Sender&& from) mutable {
      return then_t()(std::forward<Sender>(from), std::move(use));
    }};
  }
};
inline constexpr then_t then{};

}  // namespace stdexec
