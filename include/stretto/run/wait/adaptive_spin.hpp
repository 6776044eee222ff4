// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstdint>

namespace stretto::runner::detail {

/// How long it pays off to stay awake for a signal, spinning or offering the core to others,
/// learned from the waits before: on a core that others want, under a quota or with a slow source
/// it does not. A hint: several threads may wait for one signal and overwrite what the others have
/// learned.
class adaptive_spin {
 public:
  /// A wait under way.
  class spin_attempt {
   public:
    /// How many of at most \p times something is to be tried.
    constexpr unsigned of(unsigned times) const {
      if (is_trial()) return times;
      return is_given_up() ? 0 : times >> backoff_;
    }

    /// Things may have changed: so, now and then, it waits as if nothing had been learned. The less
    /// that helps, the more rarely: a trial costs much where the core is not free.
    constexpr bool is_trial() const { return backoff_ > 0 && waits_ >= 32U << trials_; }
    /// Nothing is tried.
    constexpr bool is_given_up() const { return backoff_ == most_backoff && !is_trial(); }

    /// The signal came while the thread was awake and in nobody's way.
    constexpr spin_attempt succeeded() const {
      return is_trial() ? spin_attempt(0) : spin_attempt(backoff_ / 2, trials_, 0);
    }
    /// It did not, or only once others had had the core for too long.
    constexpr spin_attempt failed() const {
      if (is_trial()) return {backoff_, trials_ < most_trials ? trials_ + 1 : trials_, 0};
      return {backoff_ + 2 < most_backoff ? backoff_ + 2 : most_backoff, trials_, waits_ + 1};
    }
    /// It cost so much that the next trial is as far off as can be.
    constexpr spin_attempt gave_up() const {
      return {most_backoff, most_trials, is_trial() ? 0 : waits_ + 1};
    }

   private:
    friend class adaptive_spin;
    static constexpr std::uint32_t most_backoff = 10;
    static constexpr std::uint32_t most_trials = 7;

    constexpr spin_attempt(std::uint32_t backoff, std::uint32_t trials, std::uint32_t waits)
        : backoff_(backoff), trials_(trials), waits_(waits) {}
    explicit constexpr spin_attempt(std::uint32_t word)
        : backoff_(word & 0xffU), trials_(word >> 8U & 0xffU), waits_(word >> 16U) {}
    constexpr std::uint32_t word() const { return backoff_ | trials_ << 8U | waits_ << 16U; }

    std::uint32_t backoff_;  ///< how often it is halved; at most_backoff, nothing is tried
    std::uint32_t trials_;   ///< in vain, one after the other
    std::uint32_t waits_;    ///< in vain since the last trial
  };

  // relaxed: nothing hangs on it.
  spin_attempt begin() const { return spin_attempt(word_.load(std::memory_order_relaxed)); }
  void learn(spin_attempt a) {
    if (const std::uint32_t word = a.word(); word != word_.load(std::memory_order_relaxed))
      word_.store(word, std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint32_t> word_{0};
};

}  // namespace stretto::runner::detail
