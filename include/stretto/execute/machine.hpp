// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/execute/hosts.hpp>
#include <stretto/execute/pace.hpp>
#include <stretto/execute/ring.hpp>
#include <stretto/execute/signal.hpp>
#include <stretto/execute/task_objects.hpp>
#include <stretto/static/plan_of.hpp>
#include <utility>

namespace stretto::detail {

/// A task that threw, kept on the thread where it did.
struct caught {
  std::size_t node = plan::none;
  std::exception_ptr error;
};

/// How far a thread got in a run: through all of its chain in the progresses before this one, and
/// up to a place in this one.
struct alignas(cache_line) stopping_point {
  std::size_t progress = 0;
  std::size_t place = 0;
  bool early = false;  ///< it was told to stop, or failed
  caught failure;
};

/// What the threads of a run are told.
enum class standing : unsigned char {
  go_on,
  ask,  ///< to ask before each task whether a stop is requested
  stop  ///< to start no more tasks
};

/// Whom to ask whether a stop is requested.
struct stop_question {
  const void* token = nullptr;
  bool (*requested)(const void* token) noexcept = nullptr;
};

/// What all threads of a running pipeline share.
template <class Schedule, class Pace, class Waiting, class Observer, class Affinity>
struct machine {
  using schedule = Schedule;
  using waiting = Waiting;
  using position = ring_position<Schedule>;
  static constexpr const auto& plan = plan_of<Schedule>;
  static constexpr std::size_t threads = plan.threads;
  using hosts = detail::hosts<Schedule>;
  static constexpr bool alone = hosts::count == 1;
  static constexpr bool meets = Pace::meets && !alone;
  static constexpr bool observed = Observer::observes;
  static constexpr bool pins = Affinity::pins;
  using waits = waits_between<Schedule, meets>;

  task_objects<typename declared<Schedule>::tasks> tasks;
  Observer observer{};
  ring<Schedule> memory{};

  /// More batches than any source has.
  static constexpr std::size_t not_yet_known = static_cast<std::size_t>(-1) / 2;

  // Written once a run, read by all threads all the time.

  /// How many batches there are, once the source has ended. Written by the thread that pulls before
  /// it says that it has pulled; so whoever has waited for the pull of a batch knows whether that
  /// batch exists.
  alignas(cache_line) std::atomic<std::size_t> end{not_yet_known};
  /// What to do at the next task boundary. One byte, so that runs that nobody can ask to stop pay
  /// nothing for those that can be asked.
  std::atomic<standing> told{standing::go_on};
  stop_question question{};

  /// What the calling thread has to say at the start of a progress, on one line: it is fetched once
  /// if pulling takes no time.
  struct alignas(cache_line) beginning {
    signal_word<Waiting> open;  ///< with a barrier: the progress may start
    signal_word<Waiting> pulled;
  };
  beginning start{};
  std::array<signal<Waiting>, alone ? 0 : hosts::signals> signals{};
  /// With a barrier: the threads, but for the calling one, are through with the progress.
  std::array<signal<Waiting>, meets ? hosts::count - 1 : 0> closed{};

  std::array<stopping_point, hosts::count> stopped{};

  explicit machine(task_objects<typename declared<Schedule>::tasks> all) : tasks(std::move(all)) {}

  template <std::size_t Node>
  auto& task() {
    return tasks.template get<Node>();
  }

  /// The signal that a node has run: of whoever runs it in this progress.
  signal_word<Waiting>& signal_of(std::size_t node, std::size_t progress) {
    if (node == plan.pull && plan.thread_of[plan.pull] == 0) return start.pulled;
    return signals[hosts::signal(node, progress)];
  }

  /// Waits for what a node of progress \p progress, whose epoch is \p epoch, has to wait for.
  [[gnu::always_inline]] void await(const plan::edge& wait, std::size_t progress,
                                    std::uint32_t epoch) {
    const auto back = static_cast<std::size_t>(wait.delta);
    // Before progress 0 the epoch is one that every signal has reached, whosoever it is.
    signal_of(wait.producer, progress - back).await(epoch - static_cast<std::uint32_t>(back));
  }

  // relaxed, here and where they are written: signals order them.
  std::size_t batches() const { return end.load(std::memory_order_relaxed); }
  /// Whether to stop here.
  [[gnu::always_inline]] bool stopping() {
    if (told.load(std::memory_order_relaxed) == standing::go_on) [[likely]]
      return false;
    return stopping_after_all();
  }
  void tell_to_stop() { told.store(standing::stop, std::memory_order_relaxed); }

  /// Has all threads ask \p token before each task, from the next beginning on.
  template <class Token>
  void heed(const Token& token) {
    question = {&token, [](const void* asked) noexcept -> bool {
                  return static_cast<const Token*>(asked)->stop_requested();
                }};
    told.store(standing::ask, std::memory_order_relaxed);
  }

  /// Whether a run is over before this progress, as far as is known. With one batch in flight it
  /// takes a progress to find out that the source has ended.
  bool over(std::size_t progress) const {
    constexpr std::size_t more = plan.max_lookahead == 0 ? 1 : plan.in_flight() - 1;
    return progress >= batches() + more;
  }

  /// While no other thread runs.
  void restart() {
    end.store(not_yet_known, std::memory_order_relaxed);
    told.store(standing::go_on, std::memory_order_relaxed);
    start.open.restart();
    start.pulled.restart();
    for (auto& s : signals) s.restart();
    for (auto& s : closed) s.restart();
    stopped = {};
  }

 private:
  [[gnu::noinline, gnu::cold]] bool stopping_after_all() {
    if (told.load(std::memory_order_relaxed) == standing::ask) {
      if (!question.requested(question.token)) return false;
      tell_to_stop();
    }
    return true;
  }
};

}  // namespace stretto::detail
