// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>
#include <stretto/run/error.hpp>
#include <stretto/run/patience.hpp>
#include <stretto/run/text_builder.hpp>
#include <stretto/run/threads/attached_threads.hpp>
#include <stretto/run/threads/group_named.hpp>
#include <stretto/run/wait/futex.hpp>
#include <stretto/text/visible.hpp>
#include <string_view>

namespace stretto::runner::detail {

/// All pipelines share one counter to wait on. Hand-overs are rare, and a static counter outlives a
/// pipeline that is being destroyed.
class attachment_slots final : public attachments {
 public:
  /// \p wanted: whether the threads of a group are the user's. The other two outlive it.
  attachment_slots(planner::view<bool> wanted, planner::view<std::string_view> groups,
                   planner::view<std::size_t> workers)
      : attachments(table), groups_(groups), workers_(workers) {
    for (const std::size_t w : workers) size_ += w;
    // NOLINTNEXTLINE(cppcoreguidelines-prefer-member-initializer): now that the size is known
    all_ = new slot[size_];
    slot* next = all_;
    for (std::size_t g = 0; g < workers.size(); ++g)
      for (std::size_t k = 0; k < workers[g]; ++k) next++->attached = wanted[g];
  }
  ~attachment_slots() {
    closing_.store(true, std::memory_order_relaxed);  // published by the change
    changed();
    for (;;) {
      const std::uint32_t seen = state_of_changes();
      if (none_but(slot_state::vacant)) break;
      sleep_while(changes, seen);
    }
    delete[] all_;
  }

  bool has(std::size_t host) const { return all_[host].attached; }

  bool lacks(std::size_t host) const {
    // relaxed: nothing else is read because of it.
    return all_[host].attached && awaited_.load(std::memory_order_relaxed) &&
           all_[host].now.load(std::memory_order_relaxed) == slot_state::vacant;
  }

  bool await_all(wait_question stop) {
    awaited_.store(true, std::memory_order_relaxed);
    const bool came = come_all(stop);
    awaited_.store(false, std::memory_order_relaxed);
    return came;
  }
  void begin() {
    for (std::size_t h = 0; h < size_; ++h)
      if (all_[h].attached) all_[h].now.store(slot_state::working, std::memory_order_release);
    changed();
  }

  bool acquire(std::size_t workers, std::size_t& host) {
    for (std::size_t h = host; h < host + workers; ++h) {
      slot_state free = slot_state::vacant;
      // acquire: what the last one here left behind.
      if (!all_[h].now.compare_exchange_strong(free, slot_state::waiting, std::memory_order_acq_rel,
                                               std::memory_order_relaxed))
        continue;
      changed();
      host = h;
      return true;
    }
    return false;
  }
  bool await_run(std::size_t host, wait_question stop) {
    std::atomic<slot_state>& now = all_[host].now;
    for (;;) {
      const std::uint32_t seen = state_of_changes();
      if (now.load(std::memory_order_acquire) == slot_state::working) return true;
      if (closing_.load(std::memory_order_relaxed) ||
          (stop.requested != nullptr && stop.requested(stop.stop))) {
        slot_state still = slot_state::waiting;  // otherwise a run is about to begin
        if (now.compare_exchange_strong(still, slot_state::vacant, std::memory_order_acq_rel,
                                        std::memory_order_relaxed)) {
          changed();
          return false;
        }
      }
      wait_for_change(seen, stop);
    }
  }
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

  static attachment_slots& own(attachments& a) { return static_cast<attachment_slots&>(a); }
  static const functions table;

  static inline std::atomic<std::uint32_t> changes{0};
  static constexpr long between_questions = 2;  // milliseconds

  /// Tells that a slot has changed, after it has.
  static void changed() {
    changes.fetch_add(1, std::memory_order_acq_rel);
    wake_all(changes);
  }
  /// To be taken before a thread looks whether it is to wait: a change after that ends the sleep.
  static std::uint32_t state_of_changes() { return changes.load(std::memory_order_acquire); }
  /// Sleeps until there is a change, or, as tokens wake nobody up, until it is time to ask again.
  static void wait_for_change(std::uint32_t seen, wait_question stop) {
    if (stop.requested != nullptr) {
      sleep_while_for(changes, seen, between_questions);
    } else {
      sleep_while(changes, seen);
    }
  }
  /// Sleeps for a part of \p patience at most, which is in milliseconds, and takes that from it if
  /// there was no change.
  static void wait_for_change(std::uint32_t seen, wait_question stop, long& patience) {
    constexpr long longest = 20;  // others that share the counter wake it up in between
    long most = stop.requested != nullptr ? between_questions : longest;
    if (patience < most) most = patience;
    if (sleep_while_for(changes, seen, most)) patience -= most;
  }

  bool come_all(wait_question stop) {
    long patience = milliseconds_of_patience.load(std::memory_order_relaxed);
    bool told = false;
    do {
      for (;;) {
        const std::uint32_t seen = state_of_changes();
        if (none_but(slot_state::waiting)) break;
        if (stop.requested != nullptr && stop.requested(stop.stop)) return false;
        if (patience > 0) {
          wait_for_change(seen, stop, patience);
        } else {
          if (!told) told = tell_which_lack();
          wait_for_change(seen, stop);
        }
      }
    } while (!commit());
    return true;
  }
  /// Says which groups a run waits for. False if all threads have come meanwhile.
  bool tell_which_lack() const noexcept try {
    text_builder said;
    said.add("a run waits for threads to be attached");
    bool any = false;
    std::size_t host = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      std::size_t lacking = 0;
      for (std::size_t w = 0; w < workers_[g]; ++w) lacking += lacks(host++) ? 1 : 0;
      if (lacking == 0) continue;
      said.add(any ? "; " : ": ").add("thread group ").name(groups_[g]);
      any = true;
      if (workers_[g] == 1) {
        said.add(" has no thread yet: let one");
      } else {
        said.add(" has ").count(workers_[g] - lacking).add(" of ").count(workers_[g]);
        said.add(" threads: let ").count(lacking).add(" more");
      }
      planner::list<char> name;
      text::add_visible_name(name, groups_[g]);
      said.add(" call attach(\"").add({name.data(), name.size()}).add("\")");
    }
    if (any) tell_of_wait(said.text());
    return any;
  } catch (...) {  // no memory to say it
    return true;
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

  std::size_t size_ = 0;  ///< host threads
  slot* all_ = nullptr;   ///< by host thread
  planner::view<std::string_view> groups_;
  planner::view<std::size_t> workers_;  ///< by group
  std::atomic<bool> closing_{false};
  std::atomic<bool> awaited_{false};  ///< by a run that is to begin
};

inline const attachments::functions attachment_slots::table{
    [](const attachments& a, std::size_t host) {
      return static_cast<const attachment_slots&>(a).has(host);
    },
    [](const attachments& a, std::size_t host) {
      return static_cast<const attachment_slots&>(a).lacks(host);
    },
    [](attachments& a, wait_question stop) { return own(a).await_all(stop); },
    [](attachments& a) { own(a).begin(); },
    [](attachments& a, std::size_t workers, std::size_t& host) {
      return own(a).acquire(workers, host);
    },
    [](attachments& a, std::size_t host, wait_question stop) {
      return own(a).await_run(host, stop);
    },
    [](attachments& a, std::size_t host) { own(a).release(host); },
    [](attachments& a) { delete &own(a); }};

STRETTO_INLINE attachments* make_attachments(const attached_threads& wanted,
                                             planner::view<std::string_view> groups,
                                             planner::view<std::size_t> workers) {
  bool some = false;
  wanted.each([&](std::string_view name) {
    text_builder text;
    text.add("attached thread group ").name(name).add(": ");
    const std::size_t g = group_named(groups, name);
    some = true;
    if (g > 0 && g < groups.size()) return;
    if (g == 0) {
      text.add(only_caller_runs_it);
    } else {
      text.add("the pipeline has none of this name, but ").names(groups);
    }
    throw usage_error(text.text());
  });
  if (!some) return nullptr;
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
  return new attachment_slots(named, groups, workers);
}

}  // namespace stretto::runner::detail
