// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>
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
#include "then.hpp"

namespace stdexec {
namespace stand_in {

/// What was sent, kept until it is sent on: decayed copies.
struct kept_of_each {
  template <class Tag, class... Arg>
  static auto of(Tag (*)(Arg...)) -> completion_signatures<Tag(std::decay_t<Arg>...)>;
};
template <class Signatures>
struct kept_completion;
template <class... Signature>
struct kept_completion<completion_signatures<Signature...>> {
  template <class>
  struct tuple_of;
  template <class Tag, class... Arg>
  struct tuple_of<Tag(Arg...)> {
    using type = std::tuple<Tag, Arg...>;
  };
  using type = std::variant<std::monostate, typename tuple_of<Signature>::type...>;
};

/// What `continues_on` announces of a sender that announces `Signatures`.
template <class Signatures, class OfScheduler>
using signatures_elsewhere =
    joined<made_of_each<kept_of_each, Signatures>, made_of_each<none_of_values, OfScheduler>,
           completion_signatures<set_error_t(std::exception_ptr)>>;

template <class Sender, class Scheduler, class Receiver>
class operation_elsewhere {
  using env = env_of_t<const Receiver&>;
  using kept = typename kept_completion<
      joined<made_of_each<kept_of_each, completion_signatures_of_t<Sender, env>>,
             completion_signatures<set_error_t(std::exception_ptr)>>>::type;

  struct here {
    using receiver_concept = receiver_tag;
    template <class... Value>
    void set_value(Value&&... values) && noexcept {
      of->go(stdexec::set_value, std::forward<Value>(values)...);
    }
    template <class Error>
    void set_error(Error&& error) && noexcept {
      of->go(stdexec::set_error, std::forward<Error>(error));
    }
    void set_stopped() && noexcept { of->go(stdexec::set_stopped); }
    env_of_t<const Receiver&> get_env() const noexcept { return stdexec::get_env(of->to_); }
    operation_elsewhere* of;
  };
  struct there {
    using receiver_concept = receiver_tag;
    void set_value() && noexcept { of->arrive(); }
    template <class Error>
    void set_error(Error&& error) && noexcept {
      stdexec::set_error(std::move(of->to_), std::forward<Error>(error));
    }
    void set_stopped() && noexcept { stdexec::set_stopped(std::move(of->to_)); }
    env_of_t<const Receiver&> get_env() const noexcept { return stdexec::get_env(of->to_); }
    operation_elsewhere* of;
  };

 public:
  using operation_state_concept = operation_state_tag;

  operation_elsewhere(Sender&& from, const Scheduler& on, Receiver to)
      : to_(std::move(to)),
        going_(stdexec::connect(schedule(on), there{this})),
        from_(stdexec::connect(std::forward<Sender>(from), here{this})) {}
  operation_elsewhere(const operation_elsewhere&) = delete;
  operation_elsewhere& operator=(const operation_elsewhere&) = delete;
  ~operation_elsewhere() = default;

  void start() & noexcept { stdexec::start(from_); }

 private:
  template <class Tag, class... Arg>
  void go(Tag tag, Arg&&... args) noexcept {
    try {
      sent_.template emplace<std::tuple<Tag, std::decay_t<Arg>...>>(tag,
                                                                    std::forward<Arg>(args)...);
    } catch (...) {
      sent_.template emplace<std::tuple<set_error_t, std::exception_ptr>>(stdexec::set_error,
                                                                          std::current_exception());
    }
    stdexec::start(going_);
  }
  void arrive() noexcept {
    std::visit([this](auto& sent) { this->send(sent); }, sent_);
  }
  void send(std::monostate) noexcept {}
  template <class Tag, class... Arg>
  void send(std::tuple<Tag, Arg...>& sent) noexcept {
    std::apply([this](Tag tag, Arg&... args) { tag(std::move(to_), std::move(args)...); }, sent);
  }

  Receiver to_;
  kept sent_;
  connect_result_t<decltype(schedule(std::declval<const Scheduler&>())), there> going_;
  connect_result_t<Sender, here> from_;
};

template <class Sender, class Scheduler>
struct sender_elsewhere {
  using sender_concept = adaptor_tag;

  template <class Self, class... Env>
  static consteval auto get_completion_signatures() {
    using from = decltype((std::declval<Self>().from));
    using going = decltype(schedule(std::declval<const Scheduler&>()));
    return signatures_elsewhere<completion_signatures_of_t<from, Env...>,
                                completion_signatures_of_t<going, Env...>>();
  }
  template <receiver Receiver>
  operation_elsewhere<Sender, Scheduler, Receiver> connect(Receiver to) && {
    return {std::move(from), on, std::move(to)};
  }
  template <receiver Receiver>
    requires sender_in<const Sender&, env_of_t<const Receiver&>>
  operation_elsewhere<const Sender&, Scheduler, Receiver> connect(Receiver to) const& {
    return {from, on, std::move(to)};
  }

  Sender from;
  Scheduler on;
};

}  // namespace stand_in

/// Sends on a scheduler what a sender sends elsewhere: [exec.continues.on].
struct continues_on_t {
  template <sender Sender, scheduler Scheduler>
  auto operator()(Sender&& from, Scheduler on) const {
    return stand_in::sender_elsewhere<std::remove_cvref_t<Sender>, Scheduler>{
        std::forward<Sender>(from), std::move(on)};
  }
  template <scheduler Scheduler>
  auto operator()(Scheduler on) const {
    return stand_in::adaptor{[on = std::move(on)]<class Sender>(Sender&& from) {
      return continues_on_t()(std::forward<Sender>(from), on);
    }};
  }
};
inline constexpr continues_on_t continues_on{};

}  // namespace stdexec
