// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <stretto/declare/suspends.hpp>
#include <utility>

namespace stretto {

namespace runner::detail {

/// The memory of a coroutine's frame, used again by the task's next call, which comes after its
/// end.
class frame_memory {
  /// In front of each frame: whose it is; null: of nobody who keeps it.
  struct alignas(std::max_align_t) header {
    frame_memory* of;
  };

 public:
  /// Where frames come from that are made on this thread; null: from the heap.
  static frame_memory*& of_this_thread() {
    static thread_local frame_memory* memory = nullptr;
    return memory;
  }

  static void* allocate(std::size_t size) {
    frame_memory* const of = of_this_thread();
    return of == nullptr || of->taken_ ? made(size, nullptr) : of->take(size);
  }
  static void give_back(void* frame) noexcept {
    header* const made = static_cast<header*>(frame) - 1;
    if (made->of != nullptr) {
      made->of->taken_ = false;
    } else {
      ::operator delete(made);
    }
  }

 private:
  struct end {
    void operator()(void* at) const noexcept { ::operator delete(static_cast<header*>(at) - 1); }
  };
  static void* made(std::size_t size, frame_memory* of) {
    return ::new (::operator new(sizeof(header) + size)) header{of} + 1;
  }
  void* take(std::size_t size) {
    if (size > size_) {
      kept_.reset(made(size, this));
      size_ = size;
    }
    taken_ = true;
    return kept_.get();
  }

  std::unique_ptr<void, end> kept_;
  std::size_t size_ = 0;
  bool taken_ = false;
};

/// A task's call, which may be suspended; one at a time.
class suspended_call {
 public:
  /// Called where the coroutine ends, which is gone by then: with what was passed to `begin`, and
  /// what it threw.
  using told = void (*)(void* whom, std::exception_ptr error) noexcept;

  /// No call is under way: the last one has ended.
  void await_end() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return !running_; });
  }
  void begin(told how, void* whom) {
    how_ = how;
    whom_ = whom;
    const std::lock_guard lock(mutex_);
    running_ = true;
  }
  void tell(std::exception_ptr error) noexcept { how_(whom_, std::move(error)); }
  /// Told inside the lock: who waits may be about to destroy this.
  void end() noexcept {
    const std::lock_guard lock(mutex_);
    running_ = false;
    ended_.notify_all();
  }

  /// Makes a coroutine by \p call, whose frame has its memory here.
  template <class Call>
  auto made(const Call& call) {
    struct scope {
      explicit scope(frame_memory& here)
          : before(std::exchange(frame_memory::of_this_thread(), &here)) {}
      scope(const scope&) = delete;
      scope& operator=(const scope&) = delete;
      ~scope() { frame_memory::of_this_thread() = before; }
      frame_memory* before;
    };
    const scope here(frames_);
    return call();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool running_ = false;
  told how_ = nullptr;
  void* whom_ = nullptr;
  frame_memory frames_;
};

}  // namespace runner::detail

/// What a task's call operator returns if it is a coroutine: it may `co_await` whatever can be
/// awaited, and while it is suspended its thread goes on with its next tasks.
///
///     st::suspendable operator()(st::in<url> from, st::out<page> to) const {
///       *to = co_await client.get(*from);
///     }
///
/// Whoever resumes it runs the rest. Those that are ordered behind the task wait until it has
/// ended, and its next call comes after that; slots that it takes stay what they are so long. What
/// it throws fails the run, as of any task. Whoever ends a run waits for its coroutines to end.
class [[nodiscard("a coroutine that nobody begins does nothing")]] suspendable {
 public:
  /// Of a pipeline, which begins the coroutine.
  using call = runner::detail::suspended_call;

  class promise_type {
    struct last {
      static constexpr bool await_ready() noexcept { return false; }
      /// Ends the coroutine, frame and all, before anybody hears of it.
      static void await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        suspendable::call& of = *ended.promise().call_;
        std::exception_ptr error = std::move(ended.promise().error_);
        ended.destroy();
        of.tell(std::move(error));
      }
      static void await_resume() noexcept {}
    };

   public:
    static void* operator new(std::size_t size) {
      return runner::detail::frame_memory::allocate(size);
    }
    static void operator delete(void* frame) noexcept {
      runner::detail::frame_memory::give_back(frame);
    }

    suspendable get_return_object() noexcept {
      return suspendable(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    static std::suspend_always initial_suspend() noexcept { return {}; }
    static last final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
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
    handle.promise().call_ = &of;
    handle.resume();
  }

 private:
  explicit suspendable(std::coroutine_handle<promise_type> made) noexcept : begun_(made) {}

  std::coroutine_handle<promise_type> begun_;
};

}  // namespace stretto
