// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include "completions.hpp"
#include "connect.hpp"
#include "continues_on.hpp"
#include "environments.hpp"
#include "operations.hpp"
#include "receivers.hpp"
#include "senders.hpp"
#include "stop_tokens.hpp"

namespace stdexec {
namespace stand_in {

/// An environment with a stop token of its own.
template <class Env>
class env_with_token {
 public:
  env_with_token(inplace_stop_token token, Env&& env)
      : token_(token), env_(std::forward<Env>(env)) {}
  inplace_stop_token query(get_stop_token_t) const noexcept { return token_; }
  template <class Query>
    requires(!std::is_same_v<Query, get_stop_token_t> && answers<Env, Query>)
  auto query(Query what) const noexcept {
    return env_.query(what);
  }

 private:
  inplace_stop_token token_;
  Env env_;
};

struct errors_of_each {
  template <class... Value>
  static auto of(set_value_t (*)(Value...)) -> completion_signatures<>;
  template <class Error>
  static auto of(set_error_t (*)(Error)) -> completion_signatures<set_error_t(std::decay_t<Error>)>;
  static auto of(set_stopped_t (*)()) -> completion_signatures<>;
};
template <class... Signatures>
using errors_of_all = joined<made_of_each<errors_of_each, Signatures>...,
                             completion_signatures<set_error_t(std::exception_ptr)>>;

template <class... List>
struct all_values;
template <class... Value>
struct all_values<std::tuple<Value...>> {
  using signature = set_value_t(Value...);
};
template <class... First, class... Second, class... List>
struct all_values<std::tuple<First...>, std::tuple<Second...>, List...>
    : all_values<std::tuple<First..., Second...>, List...> {};

template <class Receiver, class... Sender>
class when_all_operation {
  using env = env_with_token<env_of_t<const Receiver&>>;

  template <std::size_t Place>
  struct part {
    using receiver_concept = receiver_tag;
    template <class... Value>
    void set_value(Value&&... values) && noexcept {
      try {
        std::get<Place>(of->values_).emplace(std::forward<Value>(values)...);
      } catch (...) {
        of->fail(std::current_exception());
      }
      of->end_part();
    }
    template <class Error>
    void set_error(Error&& error) && noexcept {
      of->fail(std::forward<Error>(error));
      of->end_part();
    }
    void set_stopped() && noexcept {
      of->stop();
      of->end_part();
    }
    env get_env() const noexcept { return {of->children_.get_token(), stdexec::get_env(of->to_)}; }
    when_all_operation* of;
  };
  template <class>
  struct parts_at;
  template <std::size_t... Place>
  struct parts_at<std::index_sequence<Place...>> {
    using type = std::tuple<std::optional<connect_result_t<Sender, part<Place>>>...>;
  };
  struct stop_children {
    inplace_stop_source* of;
    void operator()() const noexcept { of->request_stop(); }
  };
  enum class outcome : unsigned char { values, error, stopped };

 public:
  using operation_state_concept = operation_state_tag;

  when_all_operation(Receiver to, Sender&&... from) : to_(std::move(to)) {
    connect_all(std::index_sequence_for<Sender...>(), std::forward<Sender>(from)...);
  }
  when_all_operation(const when_all_operation&) = delete;
  when_all_operation& operator=(const when_all_operation&) = delete;
  ~when_all_operation() = default;

  void start() & noexcept {
    const auto token = get_stop_token(stdexec::get_env(to_));
    stop_.emplace(token, stop_children{&children_});
    if (children_.stop_requested()) {
      stop_.reset();
      return set_stopped(std::move(to_));
    }
    std::apply([](auto&... each) { (stdexec::start(*each), ...); }, parts_);
  }

 private:
  template <std::size_t... Place>
  void connect_all(std::index_sequence<Place...>, Sender&&... from) {
    (std::get<Place>(parts_).emplace(made_in_place{
         [&] { return stdexec::connect(std::forward<Sender>(from), part<Place>{this}); }}),
     ...);
  }

  /// The first one to end otherwise than with values says how all end.
  bool end_by(outcome how) noexcept {
    outcome seen = outcome::values;
    if (!outcome_.compare_exchange_strong(seen, how)) return false;
    children_.request_stop();
    return true;
  }
  template <class Error>
  void fail(Error&& error) noexcept {
    if (end_by(outcome::error))
      error_.template emplace<std::decay_t<Error>>(std::forward<Error>(error));
  }
  void stop() noexcept { end_by(outcome::stopped); }
  void end_part() noexcept {
    if (--left_ != 0) return;
    stop_.reset();
    if (outcome_ == outcome::stopped) return set_stopped(std::move(to_));
    if (outcome_ == outcome::error)
      return std::visit([this](auto& error) { this->send_error(error); }, error_);
    auto all =
        std::apply([](auto&... each) { return std::tuple_cat(refer_to(*each)...); }, values_);
    std::apply([this](auto&... each) { set_value(std::move(to_), std::move(each)...); }, all);
  }
  template <class... Value>
  static std::tuple<Value&...> refer_to(std::tuple<Value...>& values) {
    return std::apply([](Value&... each) { return std::tuple<Value&...>(each...); }, values);
  }
  void send_error(std::monostate) noexcept {}
  template <class Error>
  void send_error(Error& error) noexcept {
    set_error(std::move(to_), std::move(error));
  }

  template <class>
  struct error_variant;
  template <class... Error>
  struct error_variant<completion_signatures<set_error_t(Error)...>> {
    using type = std::variant<std::monostate, Error...>;
  };

  Receiver to_;
  inplace_stop_source children_;
  std::optional<stop_callback_for_t<stop_token_of_t<env_of_t<const Receiver&>>, stop_children>>
      stop_;
  std::atomic<std::size_t> left_{sizeof...(Sender)};
  std::atomic<outcome> outcome_{outcome::values};
  typename error_variant<errors_of_all<completion_signatures_of_t<Sender, env>...>>::type error_;
  std::tuple<std::optional<value_list<completion_signatures_of_t<Sender, env>, std::tuple>>...>
      values_;
  typename parts_at<std::index_sequence_for<Sender...>>::type parts_;
};

template <class... Sender>
struct when_all_sender {
  using sender_concept = adaptor_tag;

  template <class, class... Env>
  static consteval auto get_completion_signatures() {
    return announced<completion_signatures_of_t<Sender, env_with_token<Env>...>...>();
  }
  template <receiver Receiver>
  when_all_operation<Receiver, Sender...> connect(Receiver to) && {
    return std::apply(
        [&](Sender&... each) {
          return when_all_operation<Receiver, Sender...>(std::move(to), std::move(each)...);
        },
        from);
  }

  std::tuple<Sender...> from;

 private:
  template <class... Signatures>
  using announced = joined<completion_signatures<typename all_values<
                               std::tuple<>, value_list<Signatures, std::tuple>...>::signature>,
                           errors_of_all<Signatures...>, completion_signatures<set_stopped_t()>>;
};

}  // namespace stand_in

/// Sends what several senders send, started one after the other: [exec.when.all]. Here it is
/// connected as an rvalue only.
struct when_all_t {
  template <sender... Sender>
    requires(sizeof...(Sender) > 0)
  auto operator()(Sender&&... from) const {
    return stand_in::when_all_sender<std::remove_cvref_t<Sender>...>{
        {std::forward<Sender>(from)...}};
  }
};
inline constexpr when_all_t when_all{};

}  // namespace stdexec
