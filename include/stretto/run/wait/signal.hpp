// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stretto/declare/tag.hpp>
#include <stretto/run/wait/adaptive_spin.hpp>
#include <stretto/run/wait/futex.hpp>
#include <type_traits>

namespace stretto {

/// Wait strategy: spin until the signal comes. The shortest latency; needs a core per thread.
struct spin {
  using stretto_tag = tag::waiting;
  static constexpr bool sleeps = false;
  static constexpr unsigned spins = 0;
};

/// Wait strategy: spin up to `Spins` times, offer the core to others up to `Yields` times, then
/// sleep in the kernel until woken (the default). Yielding bridges the gaps inside a running
/// pipeline: a thread that sleeps through each of them is woken on its waker's core, again and
/// again, and never overlaps with it. Where threads share a core, it hands the core to the one that
/// is waited for. A thread whose core others keep sleeps at once, and one that stayed awake in vain
/// does so for less long the next time. In a pipeline that has more threads than its control groups
/// (cgroups(7)) give it cores' time for, a thread stays awake for a few microseconds at most.
template <unsigned Spins = 512, unsigned Yields = 1000>
struct spin_then_sleep {
  using stretto_tag = tag::waiting;
  static constexpr bool sleeps = true;
  static constexpr unsigned spins = Spins;
  static constexpr unsigned yields = Yields;
};

/// Wait strategy: sleep in the kernel, after offering the core to others a few times as long as
/// that helps. For long tasks, and where cores are needed by others.
using block = spin_then_sleep<0, 0>;

namespace runner {

inline constexpr std::size_t cache_line = 64;

/// For a moment, lets another thread of the core have more of it.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

namespace detail {

/// Further ahead than any epoch that is ever waited for: who will not run any more publishes it, so
/// that nobody waits for them in vain.
inline constexpr std::uint32_t released_forever = std::uint32_t{1} << 30U;

}  // namespace detail

/// Where signals start, before progress 0. (Any number does; tests start just before they wrap.)
inline constexpr std::uint32_t first_epoch = 0;

/// Whether an epoch is as far as is wanted.
constexpr bool reached(std::uint32_t now, std::uint32_t wanted) {
  return static_cast<std::int32_t>(now - wanted) >= 0;
}

/// An epoch in the cache line of a value that it is about, so that both come in one.
class early_word {
 public:
  // release: as in signal_word.
  void publish(std::uint32_t epoch) { said_.store(epoch, std::memory_order_release); }
  // acquire: what its writer did before the epoch is visible to whoever sees it.
  bool has(std::uint32_t epoch) const {
    return reached(said_.load(std::memory_order_acquire), epoch);
  }
  void restart(std::uint32_t epoch) { said_.store(epoch, std::memory_order_relaxed); }

 private:
  std::atomic<std::uint32_t> said_{first_epoch};
};

namespace detail {

/// How long those who wait stay awake, spinning and offering the core to others. On a cache line of
/// its own: it is they who read and write it, not the owner of the signal.
struct alignas(cache_line) learned_waits {
  adaptive_spin spins;
  adaptive_spin yields;
  bool sleeps_soon = false;  ///< written while nobody waits
};
/// Stands where waiting never changes.
struct no_learned_waits {};

}  // namespace detail

/// Says that its owner has reached an epoch. One writer, any number of readers. Within a run epochs
/// only grow, so a reader never takes an old signal for a new one; they wrap around, which is why
/// they are compared by difference.
template <class Waiting>
class signal_word {
 public:
  void publish(std::uint32_t epoch) {
    if constexpr (!Waiting::sleeps) {
      // release: what the owner did before is visible to whoever sees the epoch.
      epoch_.store(epoch, std::memory_order_release);
    } else if (!sleeps_at_once && detail::asymmetric_fences) [[likely]] {
      // release: as above. relaxed: a sleeper's asymmetric_fence_heavy() makes the processor keep
      // the order of the two, the compiler is told to.
      epoch_.store(epoch, std::memory_order_release);
      std::atomic_signal_fence(std::memory_order_seq_cst);
      if (sleepers_.load(std::memory_order_relaxed) != 0) [[unlikely]]
        publish_fenced(epoch);
    } else {
      publish_fenced(epoch);
    }
  }

  /// So that nobody waits for the owner any more.
  void release(std::uint32_t epoch) { publish(epoch + detail::released_forever); }

  void await(std::uint32_t epoch) {
    if (!has(epoch)) await_in_vain(epoch, nullptr);
  }
  /// Where the epoch is said early, too. Looks there at first: a look here has the owner fetch this
  /// cache line back before it can say anything. What takes longer than that saves may be writing
  /// to the value all the while, and each look there has it fetch the value's line back.
  void await(std::uint32_t epoch, const early_word& early) {
    if (!early.has(epoch)) await_in_vain(epoch, &early);
  }

  /// For a thread that remembers how far it has seen the owner: where that is far enough it does
  /// not look, since each look takes the cache line from the owner, who then waits for it.
  void await(std::uint32_t epoch, std::uint32_t& seen) {
    if (reached(seen, epoch)) return;
    // acquire, twice: as in has(), for all epochs up to the one that is remembered.
    seen = epoch_.load(std::memory_order_acquire);
    if (reached(seen, epoch)) return;
    await_in_vain(epoch, nullptr);
    seen = epoch_.load(std::memory_order_acquire);
  }

  /// Sleeps until the epoch comes, for about so long at most. Whether it came.
  [[gnu::cold]] bool await_for(std::uint32_t epoch, long milliseconds)
    requires Waiting::sleeps
  {
    // seq_cst: see publish_fenced().
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    detail::asymmetric_fence_heavy();
    bool lasting = true;
    std::uint32_t now = epoch_.load(std::memory_order_seq_cst);
    for (; lasting && !reached(now, epoch); now = epoch_.load(std::memory_order_seq_cst))
      lasting = !detail::sleep_while_for(epoch_, now, milliseconds);
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
    return reached(now, epoch);
  }

  /// Back to \p epoch, before which nothing is waited for, while nobody waits. Whoever starts the
  /// others publishes it to them.
  void restart(std::uint32_t epoch) { epoch_.store(epoch, std::memory_order_relaxed); }

  /// From now on who waits sleeps about as soon as with `block`. While nobody waits; whoever starts
  /// the others publishes it to them.
  void sleep_soon() {
    if constexpr (Waiting::sleeps) learned_.sleeps_soon = true;
  }

 private:
  /// Who sleeps in each wait fences for itself alone: having all others do it takes longer than a
  /// fence of theirs in each signal.
  static constexpr bool sleeps_at_once = [] {
    if constexpr (Waiting::sleeps) return Waiting::spins == 0 && Waiting::yields == 0;
    return false;
  }();

  bool sleeps_soon() const { return sleeps_at_once || learned_.sleeps_soon; }
  /// Who sleeps soon offers the core as often as takes about as long as falling asleep and being
  /// woken: if the owner of the signal is there, it comes to run at once. Before that, looks that
  /// take far less; whoever is to spin does so for no longer than falling asleep takes either.
  static constexpr unsigned yields_before_sleep = 16;
  static constexpr unsigned looks_before_sleep = 5;
  static constexpr unsigned spins_before_sleep = Waiting::spins < 32 ? Waiting::spins : 32;
  /// A wait in which other threads took the core more often than this counts as in vain: where many
  /// threads share a core, each offer goes to one more thread that waits itself, and sleeping is
  /// cheaper.
  static constexpr unsigned most_brief = 4;

  /// In sleepers_, above their number: the owner of the signal fences for sleepers to come.
  static constexpr std::uint32_t owner_fences = std::uint32_t{1} << 31U;

  void publish_fenced(std::uint32_t epoch) {
    // seq_cst, as in sleep(): either this thread sees the sleeper, or the sleeper the epoch.
    epoch_.store(epoch, std::memory_order_seq_cst);
    if ((sleepers_.load(std::memory_order_seq_cst) & ~owner_fences) != 0) detail::wake_all(epoch_);
  }

  /// After a first look in vain. \p early: where the epoch is said early, too; null: nowhere.
  void await_in_vain(std::uint32_t epoch, const early_word* early) {
    if constexpr (Waiting::sleeps) {
      spin_then_sleep(epoch, early);
    } else {
      for (unsigned looks = 1; !has(epoch, early, looks); ++looks) relax();
    }
  }

  bool has(std::uint32_t epoch) const {
    // acquire: see publish().
    return reached(epoch_.load(std::memory_order_acquire), epoch);
  }
  bool has(std::uint32_t epoch, const early_word* early, unsigned looks) const {
    constexpr unsigned looks_there = 64;  // a few microseconds
    return early != nullptr && looks <= looks_there ? early->has(epoch) : has(epoch);
  }

  [[gnu::noinline]] void spin_then_sleep(std::uint32_t epoch, const early_word* early) {
    const bool soon = sleeps_soon();
    for (unsigned looks = 1; soon && looks <= looks_before_sleep; ++looks) {
      relax();
      if (has(epoch, early, looks)) return;
    }
    const detail::adaptive_spin::spin_attempt spinning = learned_.spins.begin();
    const detail::adaptive_spin::spin_attempt yielding = learned_.yields.begin();
    bool came = false;
    const unsigned most = spinning.of(soon ? spins_before_sleep : Waiting::spins);
    for (unsigned looks = 1; looks <= most && !came; ++looks) {
      relax();
      came = has(epoch, early, looks);
    }
    unsigned brief = 0;
    bool lasting = false;
    for (unsigned left = yielding.of(soon ? yields_before_sleep : Waiting::yields);
         left > 0 && !came && !lasting; --left) {
      const detail::core_use used = detail::yield_core();
      brief += used == detail::core_use::brief;
      lasting = used == detail::core_use::lasting;
      came = has(epoch);
    }
    const bool awake_in_time = came && !lasting && brief <= most_brief;
    // Who runs here meanwhile may be the one who is waited for: spinning would keep it from that.
    const bool spun_in_time = awake_in_time && brief == 0;
    learned_.spins.learn(spun_in_time ? spinning.succeeded() : spinning.failed());
    if (soon && lasting) {
      learned_.yields.learn(yielding.gave_up());
    } else {
      learned_.yields.learn(awake_in_time ? yielding.succeeded() : yielding.failed());
    }
    // relaxed: who sleeps by then is counted, and the owner fences for them all the same.
    if (!soon && awake_in_time && yielding.is_trial())
      sleepers_.fetch_and(~owner_fences, std::memory_order_relaxed);
    if (!came) sleep(epoch, soon || yielding.is_given_up());
  }

  /// \p habitually: as in the waits before.
  [[gnu::noinline]] void sleep(std::uint32_t epoch, [[maybe_unused]] bool habitually) {
    // seq_cst: see publish_fenced().
    [[maybe_unused]] const std::uint32_t before = sleepers_.fetch_add(1, std::memory_order_seq_cst);
    if constexpr (!sleeps_at_once)
      if (detail::asymmetric_fences && (before & owner_fences) == 0) fence_owner(epoch, habitually);
    for (std::uint32_t now = epoch_.load(std::memory_order_seq_cst); !reached(now, epoch);
         now = epoch_.load(std::memory_order_seq_cst))
      detail::sleep_while(epoch_, now);
    // relaxed: a publisher that still counts this sleeper only wakes one too many.
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }

  /// Has the owner fence for this sleeper, which is counted. Who sleeps habitually asks it to do so
  /// by itself from now on: neither others are interrupted in each wait then, nor is a timer set.
  void fence_owner(std::uint32_t epoch, bool habitually) {
    if (habitually) {
      detail::asymmetric_fence_heavy();
      // release: after the fence. What the owner published before is in memory by then, and it
      // fences whenever it finds a sleeper or this bit.
      sleepers_.fetch_or(owner_fences, std::memory_order_release);
    } else if (!sleep_unfenced(epoch)) {
      detail::asymmetric_fence_heavy();
    }
  }

  /// Sleeps for a while before others are made to fence. A publisher whose epoch is still on its
  /// way to memory when it looks for sleepers may miss this one: that costs it the rest of the
  /// while. Whether the epoch came.
  bool sleep_unfenced(std::uint32_t epoch) {
    constexpr long a_while = 1;  // milliseconds
    for (std::uint32_t now = epoch_.load(std::memory_order_seq_cst); !reached(now, epoch);
         now = epoch_.load(std::memory_order_seq_cst))
      if (detail::sleep_while_for(epoch_, now, a_while)) return false;
    return true;
  }

  std::atomic<std::uint32_t> epoch_{first_epoch};
  std::atomic<std::uint32_t> sleepers_{0};
  [[no_unique_address]] std::conditional_t<Waiting::sleeps, detail::learned_waits,
                                           detail::no_learned_waits>
      learned_{};
};

/// Fences in pairs, as in P1202: of two threads that each write, fence and read what the other
/// wrote, one sees it. The light one costs nothing where the system can make other threads fence.
inline void light_fence() {
  if (!detail::asymmetric_fences) [[unlikely]]
    std::atomic_thread_fence(std::memory_order_seq_cst);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}
inline void heavy_fence() {
  if (detail::asymmetric_fences) {
    detail::asymmetric_fence_heavy();
  } else {
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }
}

/// A signal, and where it is said early; null: nowhere. Who runs no more says so only by the
/// signal.
template <class Signal>
struct early_signal {
  early_word* early;
  Signal& then;

  [[gnu::always_inline]] void publish(std::uint32_t epoch) {
    if (early != nullptr) early->publish(epoch);
    then.publish(epoch);
  }
  [[gnu::always_inline]] void await(std::uint32_t epoch) {
    early == nullptr ? then.await(epoch) : then.await(epoch, *early);
  }
  /// What is said early comes with a value, whose line is needed in any case.
  [[gnu::always_inline]] void await(std::uint32_t epoch, std::uint32_t& seen) {
    early == nullptr ? then.await(epoch, seen) : then.await(epoch, *early);
  }
};

/// A signal on a cache line of its own.
template <class Waiting>
struct alignas(cache_line) signal : signal_word<Waiting> {};

/// Signals side by side. (Not std::array, of which six functions would be compiled.)
template <class Waiting, std::size_t Count>
struct signal_array {
  signal<Waiting> of[Count];  // NOLINT(modernize-avoid-c-arrays)

  signal<Waiting>& operator[](std::size_t i) { return of[i]; }
  void restart(std::uint32_t epoch) {
    for (signal<Waiting>& s : of) s.restart(epoch);
  }
  void sleep_soon() {
    for (signal<Waiting>& s : of) s.sleep_soon();
  }
};
template <class Waiting>
struct signal_array<Waiting, 0> {
  void restart(std::uint32_t) {}
  void sleep_soon() {}
};

/// How far a thread has seen the owners of signals, on cache lines of its own.
template <std::size_t Count>
struct alignas(cache_line) seen_epochs {
  std::uint32_t of[Count]{};  // NOLINT(modernize-avoid-c-arrays): as signals

  void restart(std::uint32_t epoch) {
    for (std::uint32_t& e : of) e = epoch;
  }
};
template <>
struct seen_epochs<0> {
  void restart(std::uint32_t) {}
};

}  // namespace runner
}  // namespace stretto
