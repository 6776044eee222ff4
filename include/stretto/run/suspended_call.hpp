// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <stretto/run/wait/futex.hpp>
#include <stretto/run/wait/signal.hpp>
#include <utility>

namespace stretto::runner {

namespace detail {

/// The memory of a coroutine's frame, used again by the task's next call, which comes after its
/// end. (Not std::unique_ptr: every file of a pipeline of values would read `memory`.)
class frame_memory {
  /// In front of each frame: whose it is; null: of nobody who keeps it.
  struct alignas(std::max_align_t) header {
    frame_memory* of;
  };

 public:
  frame_memory() = default;
  frame_memory(const frame_memory&) = delete;
  frame_memory& operator=(const frame_memory&) = delete;
  ~frame_memory() { drop(); }

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
    (static_cast<header*>(std::exchange(kept_, nullptr)) - 1)->of = nullptr;
    size_ = 0;
    taken_ = false;
  }

 private:
  void drop() noexcept {
    if (kept_ != nullptr)
      ::operator delete(static_cast<header*>(std::exchange(kept_, nullptr)) - 1);
    size_ = 0;
  }
  static void* made(std::size_t size, frame_memory* of) {
    return ::new (::operator new(sizeof(header) + size)) header{of} + 1;
  }
  void* take(std::size_t size) {
    if (size > size_) {
      drop();
      kept_ = made(size, this);
      size_ = size;
    }
    taken_ = true;
    return kept_;
  }

  void* kept_ = nullptr;
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
    // acquire, here and below: what the call did is visible behind its end.
    std::uint32_t seen = state_.load(std::memory_order_acquire);
    while (seen != none) {
      // acquire, for where it fails: what it read instead may be the end, which nobody reads again.
      // (Where it succeeds relaxed would do, but GCC 12 warns if that is the weaker of the two.)
      if (seen == under_way &&
          !state_.compare_exchange_weak(seen, awaited, std::memory_order_acquire,
                                        std::memory_order_acquire))
        continue;
      if (seen == ending) {
        relax();
      } else {
        detail::sleep_while(state_, awaited);
      }
      seen = state_.load(std::memory_order_acquire);
    }
  }
  void begin(told how, void* whom) {
    how_ = how;
    whom_ = whom;
    // relaxed: who ends the call is handed it by whatever the coroutine waits for.
    state_.store(under_way, std::memory_order_relaxed);
  }
  void tell(std::exception_ptr error) noexcept { how_(whom_, std::move(error)); }
  /// Likewise of a coroutine that is destroyed while it is suspended. Its frame is still there, and
  /// may be given back when all of this is gone.
  void tell_destroyed(std::exception_ptr error) noexcept {
    frames_.leave();
    tell(std::move(error));
  }
  /// Nothing of this is touched behind the last store: who waits may be about to destroy it.
  void end() noexcept {
    // relaxed: the store below publishes what the call did; `awaited` is a number, behind which
    // there is nothing to see.
    if (state_.exchange(ending, std::memory_order_relaxed) == awaited) detail::wake_all(state_);
    // release: what the call did is visible behind its end.
    state_.store(none, std::memory_order_release);
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
  // A call's states, from begin to end. Only one that somebody waits for wakes anybody.
  static constexpr std::uint32_t none = 0;
  static constexpr std::uint32_t under_way = 1;
  static constexpr std::uint32_t awaited = 2;
  static constexpr std::uint32_t ending = 3;

  std::atomic<std::uint32_t> state_{none};
  told how_ = nullptr;
  void* whom_ = nullptr;
  detail::frame_memory frames_;
};

}  // namespace stretto::runner
