// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <stretto/plan/model/list.hpp>
#include <stretto/run/threads/core_set.hpp>
#include <stretto/run/threads/placement.hpp>

namespace stretto::runner::detail {

/// Keeps threads on cores for a time. Several pipelines may want one thread, one inside the other
/// or in turns: it is on the cores of whoever came last, and when the last one goes, where it was
/// before the first one came. A run may end on another thread than the one that it holds; so all
/// threads are known to all, behind one lock that is taken when a run begins or ends.
class pinned_threads {
 public:
  /// Where the calling thread runs when no pipeline has a say.
  static core_set own_cores() {
    const locked all;
    return ended() || here().holders.empty() ? core_set::of_this_thread() : here().own;
  }

  /// Where the calling thread ran before a pipeline had a say; no cores if none has.
  static core_set home() {
    const locked all;
    return ended() || here().holders.empty() ? core_set() : here().own;
  }

  /// Holds the calling thread. \p by is who it is held for, until released. If there is no memory
  /// to remember it, the thread is let go where it wants.
  [[gnu::noinline]] static void hold(const void* by, const core_set& cores) noexcept {
    if (cores.empty() || ended()) return;
    place_like_before.store(&like_before::make, std::memory_order_relaxed);
    const locked all;
    thread& t = here();
    if (t.holders.empty()) t.own = core_set::of_this_thread();
    try {
      t.holders.push_back({by, cores});
    } catch (...) {
      return;
    }
    cores.apply();
  }
  /// Lets a thread go that is held by \p by: the calling one, or else another. Does nothing where
  /// none is.
  [[gnu::noinline]] static void release(const void* by) {
    const locked all;
    if (!ended() && here().release(by)) return;
    for (thread* t = first(); t != nullptr; t = t->next)
      if (t->release(by)) return;
  }

 private:
  /// Takes new threads to where their maker ran before a pipeline had a say.
  class like_before final : public placement {
   public:
    static placement* make() {
      const core_set home = pinned_threads::home();
      return home.empty() ? nullptr : new like_before(home);
    }
    void choose() override {}
    void start_from_here() override {}
    void enter(std::size_t) const override { home_.apply(); }
    void hold(const void*, std::size_t) const noexcept override {}
    void release(const void*) const override {}

   private:
    explicit like_before(const core_set& home) : home_(home) {}
    core_set home_;
  };

  /// Not a std::mutex, which would be gone when the last threads end, and costs a compiler more. It
  /// is held for a system call at most.
  class locked {
   public:
    locked() {
      // acquire, and release below: the threads' lists.
      while (taken.test_and_set(std::memory_order_acquire)) core_set::let_others_run();
    }
    ~locked() { taken.clear(std::memory_order_release); }
    locked(const locked&) = delete;
    locked& operator=(const locked&) = delete;

   private:
    static inline std::atomic_flag taken;
  };

  struct holder {
    const void* by = nullptr;
    core_set cores;
  };
  /// A thread that was ever held or asked, as long as it lives.
  struct thread {
    planner::list<holder> holders;
    core_set own;
    thread_number number = core_set::this_thread();
    thread* next = first();
    thread* before = nullptr;

    thread() {
      if (next != nullptr) next->before = this;
      first() = this;
    }
    thread(const thread&) = delete;
    thread& operator=(const thread&) = delete;
    ~thread() {
      const locked all;
      (before != nullptr ? before->next : first()) = next;
      if (next != nullptr) next->before = before;
      ended() = true;
    }

    bool release(const void* by) {
      std::size_t last = holders.size();
      while (last > 0 && holders[last - 1].by != by) --last;
      if (last == 0) return false;
      for (; last < holders.size(); ++last) holders[last - 1] = holders[last];
      holders.pop_back();
      (holders.empty() ? own : holders.back().cores).apply_to(number);
      return true;
    }
  };

  /// The calling thread. Under the lock, which its registration wants.
  static thread& here() {
    static thread_local thread t;
    return t;
  }
  /// Whether the calling thread's record is gone: static pipelines are destroyed after it.
  static bool& ended() {
    static thread_local bool is = false;
    return is;
  }
  static thread*& first() {
    static thread* t = nullptr;
    return t;
  }
};

}  // namespace stretto::runner::detail
