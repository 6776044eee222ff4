// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <exception>
#include <optional>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include "completions.hpp"
#include "connect.hpp"
#include "operations.hpp"
#include "receivers.hpp"
#include "run_loop.hpp"
#include "schedulers.hpp"
#include "senders.hpp"

namespace stdexec {
namespace stand_in {

struct env_of_wait {
  run_loop* loop;
  run_loop::scheduler query(get_scheduler_t) const noexcept { return loop->get_scheduler(); }
};

template <class Values>
struct wait_state {
  run_loop loop{};
  std::optional<Values> values{};
  std::exception_ptr error{};
};

template <class Values>
struct wait_receiver {
  using receiver_concept = receiver_tag;

  template <class... Value>
    requires std::constructible_from<Values, Value...>
  void set_value(Value&&... values) && noexcept {
    try {
      to->values.emplace(std::forward<Value>(values)...);
    } catch (...) {
      to->error = std::current_exception();
    }
    to->loop.finish();
  }
  template <class Error>
  void set_error(Error&& error) && noexcept {
    if constexpr (std::is_same_v<std::decay_t<Error>, std::exception_ptr>) {
      to->error = std::forward<Error>(error);
    } else if constexpr (std::is_same_v<std::decay_t<Error>, std::error_code>) {
      to->error = std::make_exception_ptr(std::system_error(error));
    } else {
      to->error = std::make_exception_ptr(std::forward<Error>(error));
    }
    to->loop.finish();
  }
  void set_stopped() && noexcept { to->loop.finish(); }
  env_of_wait get_env() const noexcept { return {&to->loop}; }

  wait_state<Values>* to;
};

}  // namespace stand_in

/// Waits for the values of a sender, while the calling thread runs a loop: [exec.sync.wait].
struct sync_wait_t {
  template <class Sender>
    requires sender_in<Sender, stand_in::env_of_wait>
  auto operator()(Sender&& from) const {
    using values =
        stand_in::value_list<completion_signatures_of_t<Sender, stand_in::env_of_wait>, std::tuple>;
    stand_in::wait_state<values> state;
    auto operation = connect(std::forward<Sender>(from), stand_in::wait_receiver<values>{&state});
    start(operation);
    state.loop.run();
    if (state.error != nullptr) std::rethrow_exception(std::move(state.error));
    return std::move(state.values);
  }
};
inline constexpr sync_wait_t sync_wait{};

}  // namespace stdexec
