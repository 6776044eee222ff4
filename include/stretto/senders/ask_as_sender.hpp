// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <exception>
#include <optional>
#include <stretto/errors/emit.hpp>
#include <stretto/senders/not_a_sender.hpp>
#include <stretto/senders/stdexec.hpp>
#include <stretto/serve/server.hpp>
#include <stretto/serve/server_misuse.hpp>
#include <type_traits>
#include <utility>
#include <variant>

namespace stretto {

namespace sending {

template <class Given, class Request>
using unfit_request = decltype(serving::request_diagnostic<std::remove_cvref_t<Given>, Request>());

namespace detail {

/// What a server takes a request by, which is awaited as if by a coroutine.
template <class Server, class Request>
using awaited_of = decltype(std::declval<Server&>().co_ask(std::declval<Request>()));
template <class Server, class Request>
using awaiter_of = decltype(std::declval<awaited_of<Server, Request>>().operator co_await());

template <class Server, class Request, class Receiver>
class ask_operation {
  /// Stands for the handle of a coroutine that waits.
  struct waiting {
    ask_operation* of;
    void resume() const { of->complete(); }
  };
  using kept = decltype(std::declval<awaiter_of<Server, Request>&>().await_resume());

 public:
  using operation_state_concept = stdexec::operation_state_t;

  ask_operation(Server& server, Request&& request, Receiver receiver)
      : receiver_(std::move(receiver)),
        asked_(server.co_ask(std::move(request))),
        awaiter_(std::move(asked_).operator co_await()) {}
  ask_operation(const ask_operation&) = delete;
  ask_operation& operator=(const ask_operation&) = delete;
  ~ask_operation() = default;

  void start() & noexcept {
    if (stdexec::get_stop_token(stdexec::get_env(receiver_)).stop_requested())
      return stdexec::set_stopped(std::move(receiver_));
    std::exception_ptr error;
    try {
      return awaiter_.await_suspend(waiting{this});  // which may complete, and end, this operation
    } catch (...) {
      error = std::current_exception();
    }
    stdexec::set_error(std::move(receiver_), std::move(error));
  }

 private:
  void complete() noexcept {
    std::optional<std::conditional_t<std::is_void_v<kept>, std::monostate, kept>> answer;
    std::exception_ptr error;
    try {
      if constexpr (std::is_void_v<kept>) {
        awaiter_.await_resume();
      } else {
        answer.emplace(awaiter_.await_resume());
      }
    } catch (...) {
      error = std::current_exception();
    }
    if (error != nullptr) {
      stdexec::set_error(std::move(receiver_), std::move(error));
    } else if constexpr (std::is_void_v<kept>) {
      stdexec::set_value(std::move(receiver_));
    } else {
      stdexec::set_value(std::move(receiver_), std::move(*answer));
    }
  }

  Receiver receiver_;
  awaited_of<Server, Request> asked_;
  awaiter_of<Server, Request> awaiter_;
};

template <class Answer>
struct sent_answer {
  using type = stdexec::set_value_t(Answer);
};
template <>
struct sent_answer<void> {
  using type = stdexec::set_value_t();
};

template <class Server, class Request, class Answer>
class ask_sender {
 public:
  using sender_concept = stdexec::sender_t;

  ask_sender(Server& server, Request&& request) : server_(&server), request_(std::move(request)) {}

  template <class, class...>
  static consteval auto get_completion_signatures() {
    return stdexec::completion_signatures<typename sent_answer<Answer>::type,
                                          stdexec::set_error_t(std::exception_ptr),
                                          stdexec::set_stopped_t()>{};
  }

  template <stdexec::receiver Receiver>
  ask_operation<Server, Request, Receiver> connect(Receiver receiver) && {
    return {*server_, std::move(request_), std::move(receiver)};
  }
  template <stdexec::receiver Receiver>
    requires std::copy_constructible<Request>
  ask_operation<Server, Request, Receiver> connect(Receiver receiver) const& {
    return {*server_, Request(request_), std::move(receiver)};
  }

 private:
  Server* server_;
  Request request_;
};

}  // namespace detail
/// The type of `ask_as_sender`: an object, of whose calls GCC says once that they are refused.
struct ask_as_sender_of {
  template <class Pipeline, class Request, class Answer, class Batching, class Given = Request>
    requires(serving::is_request<Given, Request>)
  auto operator()(server<Pipeline, Request, Answer, Batching>& server, Given&& request) const {
    return detail::ask_sender<std::remove_reference_t<decltype(server)>, Request, Answer>(
        server, static_cast<Request>(std::forward<Given>(request)));
  }
  /// Of what is no request: a compile error that says what is.
  template <class Pipeline, class Request, class Answer, class Batching, class Given,
            auto Why = errors::why<unfit_request<Given, Request>>>
    requires(!serving::is_request<Given, Request>)
  STRETTO_REFUSED not_a_sender operator()(server<Pipeline, Request, Answer, Batching>&,
                                          Given&&) const {
    static_cast<void>(errors::emit_in_body<unfit_request<Given, Request>>::value);
    return {};
  }
};

}  // namespace sending

/// A request of a server as a sender, which sends what the future of `server.ask(request)` has,
/// a copy of the result. Nothing is asked before it is started. Then it is in order with all other
/// requests, takes no room and waits for none, as that of `co_ask`.
///
/// Completes on the server's thread, where answers are given and batches wait meanwhile: whoever
/// has much to do goes on elsewhere, `| stdexec::continues_on(scheduler)`. Its error is what the
/// future throws, `unanswered` on the thread that starts it if no more requests are taken. It is
/// stopped if a stop was requested before it is started; a request that was taken is answered. The
/// server is referred to, the request kept.
inline constexpr sending::ask_as_sender_of ask_as_sender{};

}  // namespace stretto
