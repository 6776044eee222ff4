// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <stretto/declare/address_of.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/run/first_failure.hpp>
#include <stretto/run/given_batches.hpp>
#include <stretto/run/wait/signal.hpp>

namespace stretto::runner {

/// How far a thread got in a run: through all of its chain in the progresses before this one, and
/// up to a place in this one.
struct alignas(cache_line) stopping_point {
  std::size_t progress = 0;
  std::size_t place = 0;
  bool early = false;   ///< it was told to stop, or failed in a way that ends all at once
  bool asking = false;  ///< it asks for each task whether it fires
  caught failure;       ///< the first of those on this thread, by place
};

/// Before a run. (Out of line, because forgetting a failure takes more code than it seems.)
[[gnu::noinline]] inline void nobody_stopped(stopping_point* first, std::size_t threads) {
  for (std::size_t t = 0; t < threads; ++t) first[t] = stopping_point{};
}

/// How many progresses a group's worker leaves to its fellows, from \p first on, before the first
/// one of its own. (It runs those of which \p workers leave its number as a remainder.)
constexpr std::size_t progresses_to_own(std::size_t worker, std::size_t workers,
                                        std::size_t first) {
  return (worker + workers - first % workers) % workers;
}

/// What the threads of a run are told.
enum class run_command : unsigned char {
  go_on,
  poll_token,  ///< to ask before each task whether a stop is requested
  end_early,   ///< to ask for each task whether it lies before the first failure
  stop         ///< to start no more tasks
};

namespace detail {

/// Whom to ask whether a stop is requested.
struct stop_question {
  const void* token = nullptr;
  bool (*requested)(const void* token) noexcept = nullptr;
};

/// How to ask a source to stop that can be asked; null: it cannot.
struct source_stop {
  void* puller = nullptr;
  void (*request)(void* puller) noexcept = nullptr;
};

/// How to ask a source that has given no batch whether it may have one later; null: it has ended.
struct source_pause {
  const void* puller = nullptr;
  bool (*paused)(const void* puller) noexcept = nullptr;
};

}  // namespace detail

/// What the threads of a run share, apart from their signals.
template <class Waiting>
struct run_state {
  /// More batches than any source has.
  static constexpr std::size_t not_yet_known = static_cast<std::size_t>(-1) / 2;

  // Written once a run, read by all threads all the time.

  /// How many batches there are, once the source has ended or a task has failed. The thread that
  /// pulls writes it before it says that it has pulled; so whoever has waited for the pull of a
  /// batch knows whether that batch exists. A failure on a batch makes that one the last.
  alignas(cache_line) std::atomic<std::size_t> end{not_yet_known};
  /// What to do at the next task boundary. One byte, so that runs that nobody can ask to stop pay
  /// nothing for those that can be asked.
  std::atomic<run_command> command{run_command::go_on};
  detail::stop_question question{};
  detail::source_stop source_stop{};
  detail::source_pause source_pause{};
  /// The progress that the threads were set going before: 0, or the number of the next batch after
  /// the source had said that there was none yet. Written while no other thread runs.
  std::size_t first = 0;
  /// Before this one tasks may have been given what they write, so no progress is steady.
  std::size_t called_from = 0;
  given_batches given{};
  /// Where the source ended, if it has. Written by who pulls, and told when all threads have left.
  std::atomic<std::size_t> source_end{not_yet_known};
  /// The source ended only for now. Written before the end, and seen by who sees that.
  std::atomic<bool> pauses{false};
  first_failure failure{};

  /// What the calling thread has to say at the start of a progress. Of threads that spin it is on
  /// one line, which is fetched once if pulling takes no time.
  struct alignas(cache_line) beginning {
    signal_word<Waiting> open;  ///< with a barrier: the progress may start
    signal_word<Waiting> pulled;
  };
  beginning start{};

  // relaxed, here and where they are written: signals order them.
  std::size_t batches() const { return end.load(std::memory_order_relaxed); }
  /// Whether a node with this lag has a batch to work on in a progress. (Those before the first are
  /// through.)
  bool fires(std::size_t lag, std::size_t progress) const {
    return planner::fires(lag, progress - first, batches() - first);
  }
  /// Whether it would have one, but is not called because the run was given what it writes.
  bool is_given(std::size_t node, std::size_t lag, std::size_t progress) const {
    return given.any() && fires(lag, progress) && given.has(node, progress - lag);
  }
  /// What signals say that were last said in the progress before the first one.
  std::uint32_t epoch_before() const { return first_epoch + static_cast<std::uint32_t>(first); }
  /// Whether to stop here.
  [[gnu::always_inline]] bool stopping() {
    if (command.load(std::memory_order_relaxed) == run_command::go_on) [[likely]]
      return false;
    return stopping_after_all();
  }
  /// Likewise where each task is asked whether it fires: a failure alone does not stop that.
  [[gnu::always_inline]] bool stopping_at_once() {
    if (command.load(std::memory_order_relaxed) == run_command::go_on) [[likely]]
      return false;
    return stopping_after_all() && !is_ending_early();
  }
  /// Nothing more is wanted of the source. On any thread, without anything held: what users have
  /// registered with the token is called here.
  [[gnu::noinline, gnu::cold]] void ask_source_to_stop() const noexcept {
    if (source_stop.request != nullptr) source_stop.request(source_stop.puller);
  }
  void tell_to_stop() { command.store(run_command::stop, std::memory_order_relaxed); }

  /// Whether a task has failed and what lies before that still runs. acquire: who sees it sees the
  /// failure's place, and the end.
  bool is_ending_early() const {
    return command.load(std::memory_order_acquire) == run_command::end_early;
  }
  /// Whether a task has failed. For who may have seen the end that this brought, and nothing else.
  bool has_failed() const {
    std::atomic_thread_fence(std::memory_order_acquire);  // behind that look, see end_before()
    return failure.is_known();
  }
  /// How many batches the source had, once it has ended.
  std::size_t batches_of_source() const {
    return failure.is_known() ? source_end.load(std::memory_order_relaxed) : batches();
  }
  /// The source had no batch in a progress.
  // Out of line, as the loop around it is short.
  [[gnu::noinline, gnu::cold]] void end_source(std::size_t progress) {
    source_end.store(progress, std::memory_order_relaxed);
    if (source_pause.paused != nullptr)
      pauses.store(source_pause.paused(source_pause.puller), std::memory_order_relaxed);
    end_before(progress);
  }
  /// How many batches the stream had, for who has seen that no more come: if it has ended for good,
  /// and no task has failed on any of them, so that groups may end with it; else 0. \p places: how
  /// many a batch has in the order of all.
  [[gnu::noinline, gnu::cold]] std::size_t stream_end(std::size_t places) const {
    std::atomic_thread_fence(std::memory_order_acquire);  // behind that look, see end_before()
    const std::size_t known = source_end.load(std::memory_order_relaxed);
    if (known == not_yet_known || known == 0 || known != batches()) return 0;
    if (pauses.load(std::memory_order_relaxed)) return 0;
    return failure.ends_before(known * places - 1) ? 0 : known;
  }
  /// A task failed, in a way that lets what lies before it go through.
  [[gnu::noinline, gnu::cold]] void end_early(const caught& by, std::size_t batch) {
    failure.note(by);
    end_before(batch + 1);
    // release: who sees it sees what was noted. A stop stays one.
    run_command now = command.load(std::memory_order_relaxed);
    while (now < run_command::end_early &&
           !command.compare_exchange_weak(now, run_command::end_early, std::memory_order_release,
                                          std::memory_order_relaxed)) {
    }
  }

  /// Has all threads poll \p token before each task, from the next beginning on.
  template <class Token>
  void poll(const Token& token) {
    question = {declare::address_of(token), [](const void* asked) noexcept -> bool {
                  return static_cast<const Token*>(asked)->stop_requested();
                }};
    command.store(run_command::poll_token, std::memory_order_relaxed);
  }

  /// Before progress \p progress, which is the number of the next batch, while no other thread
  /// runs.
  void restart(std::size_t progress) {
    first = progress;
    called_from = given.behind() > progress ? given.behind() : progress;
    end.store(not_yet_known, std::memory_order_relaxed);
    source_end.store(not_yet_known, std::memory_order_relaxed);
    pauses.store(false, std::memory_order_relaxed);
    failure.forget();
    question = {};
    command.store(run_command::go_on, std::memory_order_relaxed);
    start.open.restart(epoch_before());
    start.pulled.restart(epoch_before());
  }
  /// Has threads sleep soon where they wait, from now on, while no other thread runs.
  void sleep_soon() {
    start.open.sleep_soon();
    start.pulled.sleep_soon();
  }
  /// Whether somebody was told to stop, once all threads have left.
  bool told_to_stop() const { return command.load(std::memory_order_relaxed) == run_command::stop; }

 private:
  // release: whoever waits for nothing but the end of batches sees the place of the failure, or
  // that the source only pauses, too.
  void end_before(std::size_t batch) {
    std::size_t known = end.load(std::memory_order_relaxed);
    while (batch < known && !end.compare_exchange_weak(known, batch, std::memory_order_release,
                                                       std::memory_order_relaxed)) {
    }
  }
  [[gnu::noinline, gnu::cold]] bool stopping_after_all() {
    const run_command told = command.load(std::memory_order_relaxed);
    if (told == run_command::stop) return true;
    const bool requested = question.requested != nullptr && question.requested(question.token);
    if (requested) tell_to_stop();
    return requested || told == run_command::end_early;
  }
};

}  // namespace stretto::runner
