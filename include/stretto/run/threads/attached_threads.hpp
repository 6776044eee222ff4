// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <stretto/plan/model/list.hpp>
#include <stretto/plan/model/view.hpp>
#include <stretto/run/active_run.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/text_builder.hpp>
#include <stretto/run/threads/affinity.hpp>
#include <stretto/run/wait/futex.hpp>
#include <string_view>
#include <type_traits>

namespace stretto {

/// Thread groups that threads of yours run, by `pipeline.attach("rendering")`; an argument of a
/// pipeline's constructor: `attached_threads{"rendering"}`. The pipeline starts no threads for
/// them.
///
/// The constructor throws `usage_error` for a group that the pipeline does not have or that is
/// named twice, and for `caller`, which is run by whoever asks for results.
class attached_threads {
 public:
  attached_threads() = default;
  attached_threads(std::initializer_list<std::string_view> groups) {
    for (const std::string_view g : groups) add(g);
  }
  /// One more group.
  attached_threads& add(std::string_view group) {
    groups_.append({group.data(), group.size()});
    groups_.push_back('\0');
    return *this;
  }

  /// Calls \p use with the name of each group.
  template <class Use>
  void each(Use use) const {
    for (std::size_t at = 0; at < groups_.size();) {
      const std::string_view name = groups_.data() + at;
      use(name);
      at += name.size() + 1;
    }
  }

 private:
  planner::list<char> groups_;  ///< each with a 0 behind it
};

namespace runner {

/// A token by which nobody ever requests a stop.
struct never_stopped {
  static constexpr bool stop_requested() { return false; }
};

namespace detail {

/// User threads that run thread groups of a pipeline: a slot for each host thread of those groups.
/// A run begins when all are taken, and no thread leaves before it has ended; so within a run an
/// attached thread is like any other.
///
/// All pipelines share one counter to wait on. Hand-overs are rare, and a static counter outlives a
/// pipeline that is being destroyed.
class attachment_slots {
 public:
  /// \p groups are the pipeline's, \p workers how many host threads each has.
  attachment_slots(const attached_threads& wanted, planner::view<std::string_view> groups,
                   planner::view<std::size_t> workers)
      : groups_(groups), workers_(workers) {
    bool some = false;
    wanted.each([&](std::string_view name) {
      text_builder text;
      text.add("attached thread group ").name(name).add(": ");
      const std::size_t g = group_named(groups, name);
      some = true;
      if (g > 0 && g < groups.size()) return;
      if (g == 0) {
        text.add(only_caller);
      } else {
        text.add("the pipeline has none of this name, but ").names(groups);
      }
      throw usage_error(text.text());
    });
    if (!some) return;
    for (const std::size_t w : workers) size_ += w;
    planner::list<bool> named(groups.size(), false);
    wanted.each([&](std::string_view name) {
      bool& known = named[group_named(groups, name)];
      if (known) {
        text_builder text;
        text.add("attached thread group ").name(name).add(": it is named twice; name it once");
        throw usage_error(text.text());
      }
      known = true;
    });
    all_ = new slot[size_];
    wanted.each([&](std::string_view name) {
      const std::size_t g = group_named(groups, name);
      for (std::size_t k = 0; k < workers[g]; ++k) all_[first(g) + k].attached = true;
    });
  }
  attachment_slots(const attachment_slots&) = delete;
  attachment_slots& operator=(const attachment_slots&) = delete;
  /// Releases all waiting threads and waits until they have left.
  ~attachment_slots() {
    if (size_ == 0) return;
    closing_.store(true, std::memory_order_relaxed);  // published by the change
    changed();
    await<false>([this] { return none_but(slot_state::vacant); }, [] { return false; });
    delete[] all_;
  }

  /// Whether a host thread is a user thread.
  bool has(std::size_t host) const { return size_ != 0 && all_[host].attached; }

  // For the thread that makes runs.

  /// From now until `run_gone()` the calling thread cannot be attached.
  void run_made() { runner_.store(me(), std::memory_order_relaxed); }
  void run_gone() { runner_.store(nullptr, std::memory_order_relaxed); }

  /// Ends the run of a pipeline that is being destroyed. Only the run's own thread can: another one
  /// would pull the ground from under it.
  void end_run_of_dying(active_run& run) const {
    if (runner_.load(std::memory_order_relaxed) != me())
      end_program(
          "a pipeline was destroyed by another thread than the one whose run of it is active (by "
          "std::exit, if it is a static one): end the run first");
    run.outlive_pipeline();
  }

  /// Waits until all slots are taken, and commits the threads to the run. False if a stop was
  /// requested before they were, which \p stop is asked: a `stoppable_puller`, or the like.
  template <class Stop>
  bool await_all(Stop& stop) {
    if (size_ == 0) return true;
    do {
      if (!await<Stop::stops>([this] { return none_but(slot_state::waiting); },
                              [&] { return stop.stop_requested(); }))
        return false;
    } while (!commit());
    return true;
  }
  /// Sets them going, when all else is prepared.
  void begin() {
    if (size_ == 0) return;
    for (std::size_t h = 0; h < size_; ++h)
      if (all_[h].attached) all_[h].now.store(slot_state::working, std::memory_order_release);
    changed();
  }

  // For the user's threads.

  /// Acquires a slot of a group. Throws `usage_error` if there is none.
  std::size_t acquire(std::string_view group) {
    text_builder text;
    text.add("attaching to thread group ").name(group).add(": ");
    const std::size_t g = group_named(groups_, group);
    if (g == groups_.size()) {
      text.add("the pipeline has none of this name, but ").names(groups_);
    } else if (g == 0) {
      text.add(only_caller);
    } else if (!has(first(g))) {
      text.add(
          "the pipeline has a thread of its own for it; name the group in "
          "`stretto::attached_threads{...}`, an argument of the pipeline's constructor");
    } else if (runner_.load(std::memory_order_relaxed) == me()) {
      text.add("the calling thread has a run of this pipeline, which would wait for it");
    } else {
      for (std::size_t k = 0; k < workers_[g]; ++k) {
        slot_state free = slot_state::vacant;
        // acquire: what the last one here left behind.
        if (!all_[first(g) + k].now.compare_exchange_strong(
                free, slot_state::waiting, std::memory_order_acq_rel, std::memory_order_relaxed))
          continue;
        changed();
        return first(g) + k;
      }
      text.add(workers_[g] == 1 ? "another thread is attached already"
                                : "other threads are attached already, one for each worker");
    }
    throw usage_error(text.text());
  }
  /// Waits for a run. False, and the slot is released, if the pipeline is destroyed or a stop
  /// requested by \p token before there is one.
  template <class Token>
  bool await_run(std::size_t host, const Token& token) {
    std::atomic<slot_state>& now = all_[host].now;
    const auto begun = [&] { return now.load(std::memory_order_acquire) == slot_state::working; };
    const auto leaves = [&] {
      if (!closing_.load(std::memory_order_relaxed) && !token.stop_requested()) return false;
      slot_state still = slot_state::waiting;  // otherwise a run is about to begin
      return now.compare_exchange_strong(still, slot_state::vacant, std::memory_order_acq_rel,
                                         std::memory_order_relaxed);
    };
    if (await<!std::is_same_v<Token, never_stopped>>(begun, leaves)) return true;
    changed();
    return false;
  }
  /// After the run. The pipeline may be gone as soon as the slot is free.
  void release(std::size_t host) {
    all_[host].now.store(slot_state::vacant, std::memory_order_release);
    changed();
  }

 private:
  enum class slot_state : unsigned char {
    vacant,
    waiting,    ///< for a run; may leave
    committed,  ///< for the run that is about to begin
    working
  };
  struct slot {
    std::atomic<slot_state> now{slot_state::vacant};
    bool attached = false;
  };

  static constexpr std::string_view only_caller =
      "the thread that asks for results runs it; no other can";

  static inline std::atomic<std::uint32_t> changes{0};

  /// Tells that a slot has changed, after it has.
  static void changed() {
    changes.fetch_add(1, std::memory_order_acq_rel);
    wake_all(changes);
  }
  /// Waits until it is \p done; false if it is to \p stop before. If it \c Asks, it looks now and
  /// then: tokens wake nobody up.
  template <bool Asks, class Done, class Stop>
  static bool await(Done done, Stop stop) {
    for (;;) {
      // First of all: a change after this look ends the sleep.
      const std::uint32_t seen = changes.load(std::memory_order_acquire);
      if (done()) return true;
      if (stop()) return false;
      if constexpr (Asks) {
        sleep_while_for(changes, seen, between_questions);
      } else {
        sleep_while(changes, seen);
      }
    }
  }
  static constexpr long between_questions = 2;  // milliseconds

  /// Differs from thread to thread, as long as they live.
  static const void* me() {
    static thread_local char somewhere;
    return &somewhere;
  }

  std::size_t first(std::size_t group) const {
    std::size_t hosts = 0;
    for (std::size_t g = 0; g < group; ++g) hosts += workers_[g];
    return hosts;
  }
  bool none_but(slot_state s) const {
    for (std::size_t h = 0; h < size_; ++h)
      if (all_[h].attached && all_[h].now.load(std::memory_order_acquire) != s) return false;
    return true;
  }
  /// Whether all waiting threads could be committed; if one has left, none is.
  bool commit() {
    for (std::size_t h = 0; h < size_; ++h) {
      slot_state waits = slot_state::waiting;
      if (!all_[h].attached ||
          all_[h].now.compare_exchange_strong(waits, slot_state::committed,
                                              std::memory_order_acq_rel, std::memory_order_relaxed))
        continue;
      while (h-- > 0)
        if (all_[h].attached) all_[h].now.store(slot_state::waiting, std::memory_order_release);
      changed();
      return false;
    }
    return true;
  }

  planner::view<std::string_view> groups_;
  planner::view<std::size_t> workers_;
  std::size_t size_ = 0;  ///< host threads; 0 if none is attached
  slot* all_ = nullptr;   ///< by host thread
  std::atomic<bool> closing_{false};
  std::atomic<const void*> runner_{nullptr};
};

}  // namespace detail
}  // namespace runner
}  // namespace stretto
