// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <future>
#include <memory>
#include <stretto/errors/emit.hpp>
#include <stretto/run/error.hpp>
#include <stretto/serve/answer.hpp>
#include <stretto/serve/reply.hpp>
#include <stretto/serve/requests.hpp>
#include <stretto/serve/server_misuse.hpp>
#include <thread>
#include <utility>

namespace stretto::serving::detail {

template <class Request, class Lent, class Kept>
struct awaited;

/// What resumes a coroutine that awaits the answer of a request, and is in that coroutine.
template <class Request, class Lent, class Kept>
class awaiter {
  /// Resumes the coroutine with what a future would get, unless the coroutine is gone.
  class resuming_reply : public future_reply<Lent, Kept> {
   public:
    explicit resuming_reply(awaiter& by) : awaited_by_(&by) {}
    void give(const answer<Lent>& given) noexcept final {
      if (awaited_by_ == nullptr) return;
      future_reply<Lent, Kept>::give(given);
      awaited_by_->reply_ = nullptr;
      resume();
    }
    void forget() { awaited_by_ = nullptr; }

   private:
    virtual void resume() = 0;
    awaiter* awaited_by_;
  };
  template <class Handle>
  class reply_to final : public resuming_reply {
   public:
    reply_to(awaiter& by, Handle waiting) : resuming_reply(by), waiting_(waiting) {}

   private:
    void resume() override { waiting_.resume(); }
    Handle waiting_;
  };

 public:
  explicit awaiter(awaited<Request, Lent, Kept>& asked) : asked_(asked) {}
  awaiter(const awaiter&) = delete;
  awaiter& operator=(const awaiter&) = delete;
  ~awaiter() {
    if (reply_ != nullptr) leave();
  }

  // Not static, for clang-tidy: see `suspendable`.
  constexpr bool await_ready() const noexcept { return false; }
  /// Not inlined: compilers have put its variables into the coroutine, which may be gone once the
  /// request is there to be answered.
  template <class Handle>
  [[gnu::noinline]] void await_suspend(Handle waiting) {
    auto made = std::make_unique<reply_to<Handle>>(*this, waiting);
    answer_ = made->get_future();
    reply_ = made.get();
    std::unique_ptr<reply<Lent>> to_be_given = std::move(made);
    try {
      asked_.to.put_beyond(asked_.request, to_be_given);
    } catch (...) {
      reply_ = nullptr;
      throw;
    }
  }
  Kept await_resume() { return answer_.get(); }

 private:
  /// The coroutine is destroyed while it waits. An exception that leaves a destructor ends the
  /// program.
  void leave() {
    if (std::this_thread::get_id() != asked_.serving)
      throw usage_error(
          "a coroutine was destroyed while it waits for a server's answer, with which the server's "
          "thread may resume it at any moment: let it come to its end, after close() or cancel() "
          "of "
          "the server if need be, or destroy it on the server's own thread");
    reply_->forget();
  }

  awaited<Request, Lent, Kept>& asked_;
  std::future<Kept> answer_;
  resuming_reply* reply_ = nullptr;  ///< while it waits
};

/// A request that is made when a coroutine awaits it. Knows coroutines by their handles only, so
/// that <coroutine> is included by who has some.
template <class Request, class Lent, class Kept>
struct [[nodiscard("nothing is asked until it is awaited")]] awaited {
  awaited(requests<Request, Lent>& asked, std::thread::id by, Request given)
      : to(asked), serving(by), request(std::move(given)) {}
  awaited(const awaited&) = delete;
  awaited& operator=(const awaited&) = delete;
  ~awaited() = default;

  /// Of what is given away, so that nobody awaits one request twice.
  awaiter<Request, Lent, Kept> operator co_await() && {
    return awaiter<Request, Lent, Kept>(*this);
  }
  /// Of what is kept: a compile error that says so.
  template <auto Why = errors::why<kept_request<Kept>>>
  STRETTO_REFUSED not_a_server::any_awaited operator co_await() const& {
    static_cast<void>(errors::emit_in_body<kept_request<Kept>>::value);
    return {};
  }

  requests<Request, Lent>& to;
  std::thread::id serving;  ///< the server's thread
  Request request;
};

}  // namespace stretto::serving::detail
