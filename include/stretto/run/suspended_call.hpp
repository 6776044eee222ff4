// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace stretto::runner {

namespace detail {

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
  /// Leaves the frame that is in use to whoever gives it back, which may be after this is gone.
  void leave() noexcept {
    if (!taken_) return;
    void* const frame = kept_.release();
    (static_cast<header*>(frame) - 1)->of = nullptr;
    size_ = 0;
    taken_ = false;
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

}  // namespace detail

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
  /// Likewise of a coroutine that is destroyed while it is suspended. Its frame is still there, and
  /// may be given back when all of this is gone.
  void tell_destroyed(std::exception_ptr error) noexcept {
    frames_.leave();
    tell(std::move(error));
  }
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
      explicit scope(detail::frame_memory& here)
          : before(std::exchange(detail::frame_memory::of_this_thread(), &here)) {}
      scope(const scope&) = delete;
      scope& operator=(const scope&) = delete;
      ~scope() { detail::frame_memory::of_this_thread() = before; }
      detail::frame_memory* before;
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
  detail::frame_memory frames_;
};

}  // namespace stretto::runner
