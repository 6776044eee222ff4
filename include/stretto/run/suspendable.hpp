// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <stretto/declare/suspends.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/suspended_call.hpp>
#include <utility>

namespace stretto {

/// What a task's call operator returns if it is a coroutine: it may `co_await` whatever can be
/// awaited, and while it is suspended its thread goes on with its next tasks.
///
///     st::suspendable operator()(st::in<url> from, st::out<page> to) const {
///       *to = co_await client.get(*from);
///     }
///
/// Whoever resumes it runs the rest. Those that are ordered behind the task wait until it has
/// ended, and its next call comes after that; slots that it takes stay what they are so long. What
/// it throws fails the run, as of any task; so does who destroys it while it is suspended. Whoever
/// ends a run waits for its coroutines to end.
class [[nodiscard("a coroutine that nobody begins does nothing")]] suspendable {
 public:
  /// Of a pipeline, which begins the coroutine.
  using call = runner::suspended_call;

  class promise_type {
    struct last {
      constexpr bool await_ready() noexcept { return false; }
      /// Ends the coroutine, frame and all, before anybody hears of it.
      void await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        suspendable::call& of = *std::exchange(ended.promise().call_, nullptr);
        std::exception_ptr error = std::move(ended.promise().error_);
        ended.destroy();
        of.tell(std::move(error));
      }
      void await_resume() noexcept {}
    };

   public:
    promise_type() = default;
    promise_type(const promise_type&) = delete;
    promise_type& operator=(const promise_type&) = delete;
    /// A call that has begun and not ended is destroyed by who was to resume it. If nobody were
    /// told, the run would wait for it for ever.
    ~promise_type() {
      if (call_ == nullptr) return;
      call_->tell_destroyed(std::make_exception_ptr(usage_error(
          "the coroutine was destroyed while it was suspended: whoever has its handle resumes it, "
          "and where there is no answer lets `await_resume` throw")));
    }
    static void* operator new(std::size_t size) {
      return runner::detail::frame_memory::allocate(size);
    }
    static void operator delete(void* frame) noexcept {
      runner::detail::frame_memory::give_back(frame);
    }

    suspendable get_return_object() noexcept {
      return suspendable(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    // Not static: clang-tidy would say at every coroutine of a user that they are called by an
    // object, readability-static-accessed-through-instance.
    std::suspend_always initial_suspend() noexcept { return {}; }
    last final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { error_ = std::current_exception(); }

   private:
    friend suspendable;
    suspendable::call* call_ = nullptr;
    std::exception_ptr error_;
  };

  suspendable(suspendable&& other) noexcept : begun_(std::exchange(other.begun_, nullptr)) {}
  suspendable& operator=(suspendable&&) = delete;
  ~suspendable() {
    if (begun_) begun_.destroy();
  }

  /// For pipelines: runs it until it is suspended or ends, of which \p of is told.
  void begin(call& of) && {
    const std::coroutine_handle<promise_type> handle = std::exchange(begun_, nullptr);
    if (!handle)
      throw usage_error(
          "the body returned a coroutine that had been moved away: return the one that is to run");
    handle.promise().call_ = &of;
    handle.resume();
  }

 private:
  explicit suspendable(std::coroutine_handle<promise_type> made) noexcept : begun_(made) {}

  std::coroutine_handle<promise_type> begun_;
};

}  // namespace stretto
