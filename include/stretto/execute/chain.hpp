// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/declare/context.hpp>
#include <stretto/execute/machine.hpp>
#include <stretto/plan/fire.hpp>
#include <stretto/static/body.hpp>
#include <utility>

namespace stretto::detail {

/// What one thread does in one progress: its tasks in order, unrolled, each after its waits.
///
/// Whatever happens, a chain publishes every signal it owns once per progress. So no wait can be
/// left hanging, and a thread that wakes up finds `stop` set if the task it waited for did not run.
template <class Machine, std::size_t Thread>
class chain {
  using schedule = typename Machine::schedule;
  using position = typename Machine::position;
  using moment = typename position::moment;
  static constexpr const auto& plan = Machine::plan;
  static constexpr plan::range nodes = plan.chains[Thread];
  static constexpr std::size_t length = nodes.last - nodes.first;

  template <std::size_t Place>
  static constexpr std::size_t node = plan.chained[nodes.first + Place];

  /// Whether this thread pulls, which is then the first thing it does.
  static constexpr bool pulls = plan.thread_of[plan.pull] == Thread;

  /// The first task that works on the batch pulled in this same progress: until there the source
  /// need not be asked whether it exists.
  static constexpr std::size_t first_new = [] {
    std::size_t first = pulls ? 1 : 0;
    while (!pulls && first < length && plan.lag[plan.chained[nodes.first + first]] != 0) ++first;
    return first;
  }();

 public:
  /// Advances by one progress and runs it. \p pull fills the source slot and returns whether there
  /// was a batch.
  template <class Pull>
  [[gnu::always_inline]] static void run(Machine& m, position& where, Pull& pull) {
    if (m.steady()) [[likely]] {
      run_steady(m, where, pull);
    } else {
      run_masked(m, where, pull);
    }
  }

  /// The same for a progress in which every task fires if there is one more batch. Returns false if
  /// as far as this thread knows there was none, or if it stopped.
  template <class Pull>
  [[gnu::always_inline]] static bool run_steady(Machine& m, position& where, Pull& pull) {
    // Nobody else gets to see it, so that it stays in registers (with GCC only if it is not const).
    moment at = where.advance();
    if constexpr (pulls) {
      await<0>(m, at);
      bool batch = false;
      if (!guarded<0>(m, at, [&] { batch = take(m, at, pull); })) [[unlikely]]
        return false;
      if (!batch) [[unlikely]]
        return end(m, where, pull);
    } else {
      if (!places<0, first_new>(m, at, pull)) [[unlikely]]
        return false;
      if constexpr (first_new < length) {
        await<first_new>(m, at);
        if (m.ended) [[unlikely]]
          return end(m, where, pull);
      }
    }
    return places<first_new, length>(m, at, pull);
  }

  /// The same for a progress in which the fire rule tells each task whether it fires.
  template <class Pull>
  [[gnu::noinline]] static void run_masked(Machine& m, position& where, Pull& pull) {
    const moment at = where.advance();
    walk(m, at, pull, 0, [&](std::size_t n) {
      if (n == plan.pull) return !m.ended;
      return plan::fires(plan.lag[n], at.progress(), plan.lag[n] == 0 ? m.pulled : m.known);
    });
  }

 private:
  /// The rest of the progress in which the source turned out to have ended.
  template <class Pull>
  [[gnu::noinline]] static bool end(Machine& m, const position& where, Pull& pull) {
    walk(m, where.now(), pull, first_new, [](std::size_t n) { return plan.lag[n] != 0; });
    return false;
  }

  template <std::size_t Place, class Pull>
  [[gnu::noinline]] static void body_at(Machine& m, const moment& at, Pull& pull) {
    run_node<node<Place>>(m, at, pull);
  }

  /// The chain from a place on, not unrolled: prefill and drain are few, and another unrolled copy
  /// of every task would cost a fifth of a user's compile time.
  template <class Pull, class Fires>
  static void walk(Machine& m, const moment& at, Pull& pull, std::size_t first, Fires fires) {
    using body = void (*)(Machine&, const moment&, Pull&);
    static constexpr auto bodies = []<std::size_t... I>(std::index_sequence<I...>) {
      return std::array<body, length>{&body_at<I, Pull>...};
    }(std::make_index_sequence<length>{});
    for (std::size_t place = first; place < length; ++place) {
      const std::size_t n = plan.chained[nodes.first + place];
      if constexpr (!Machine::alone) {
        for (std::size_t w = plan.waits_of[n].first; w < plan.waits_of[n].last; ++w)
          m.signal_of(plan.host_waits[w].producer).await(at.epoch());
        // relaxed: see guarded().
        if (m.stop.load(std::memory_order_relaxed)) {
          stopped(m, place, at.epoch());
          return;
        }
      }
      if (fires(n)) {
        try {
          bodies[place](m, at, pull);
        } catch (...) {
          failed(m, place, at.epoch(), std::current_exception());
          return;
        }
      }
      if constexpr (!Machine::alone)
        if (plan.awaited[n]) m.signal_of(n).publish(at.epoch());
    }
  }

  // In pieces, because Clang limits a fold to 256 terms.
  template <std::size_t First, std::size_t Last, class Pull>
  [[gnu::always_inline]] static bool places(Machine& m, const moment& at, Pull& pull) {
    constexpr std::size_t piece = 64;
    if constexpr (Last - First > piece) {
      return places<First, First + piece>(m, at, pull) && places<First + piece, Last>(m, at, pull);
    } else {
      return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        return (place<First + I>(m, at, pull) && ...);
      }
      (std::make_index_sequence<Last - First>{});
    }
  }

  template <std::size_t Place>
  [[gnu::always_inline]] static void await(Machine& m, const moment& at) {
    if constexpr (!Machine::alone) {
      constexpr plan::range waits = plan.waits_of[node<Place>];
      [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        (m.signal_of(plan.host_waits[waits.first + I].producer).await(at.epoch()), ...);
      }
      (std::make_index_sequence<waits.last - waits.first>{});
    }
  }

  template <std::size_t Place>
  [[gnu::always_inline]] static void publish(Machine& m, const moment& at) {
    if constexpr (plan.awaited[node<Place>]) m.signal_of(node<Place>).publish(at.epoch());
  }

  template <std::size_t Place, class Pull>
  [[gnu::always_inline]] static bool place(Machine& m, const moment& at, Pull& pull) {
    if constexpr (pulls || Place != first_new) await<Place>(m, at);
    return guarded<Place>(
        m, at, [&]() __attribute__((always_inline)) { run_node<node<Place>>(m, at, pull); });
  }

  /// Runs what is at a place unless the pipeline stops, and tells who waits for it.
  template <std::size_t Place, class Run>
  [[gnu::always_inline]] static bool guarded(Machine& m, const moment& at, Run run) {
    if constexpr (!Machine::alone) {
      // relaxed: who stops sets this before it publishes the signals that others wait for.
      if (m.stop.load(std::memory_order_relaxed)) [[unlikely]]
        return stopped(m, Place, at.epoch());
    }
    try {
      run();
    } catch (...) {
      return failed(m, Place, at.epoch(), std::current_exception());
    }
    publish<Place>(m, at);
    return true;
  }

  [[gnu::noinline, gnu::cold]] static bool failed(Machine& m, std::size_t place,
                                                  std::uint32_t epoch, std::exception_ptr error) {
    m.outcomes[Thread].failure = {plan.chained[nodes.first + place], std::move(error)};
    m.stop.store(true, std::memory_order_relaxed);  // published by the signals that follow
    return stopped(m, place, epoch);
  }

  [[gnu::noinline, gnu::cold]] static bool stopped(Machine& m, std::size_t place,
                                                   [[maybe_unused]] std::uint32_t epoch) {
    m.outcomes[Thread].stopped_at = place;
    if constexpr (!Machine::alone) {
      for (; place < length; ++place) {
        const std::size_t n = plan.chained[nodes.first + place];
        if (plan.awaited[n]) m.signal_of(n).publish(epoch);
      }
    }
    return false;
  }

  /// Asks the source for a batch; whether there was one.
  template <class Pull>
  [[gnu::always_inline]] static bool take(Machine& m, const moment& at, Pull& pull) {
    using slot = typename declared<schedule>::source_part::slot;
    if constexpr (Machine::observed) m.observer.started(Thread, plan.pull, at.progress());
    const bool batch = pull(at.template value<slot, 0>(m.memory));
    if (!batch) m.ended = true;
    if constexpr (Machine::observed) m.observer.finished(Thread, plan.pull, at.progress());
    return batch;
  }

  template <std::size_t Node, class Pull>
  [[gnu::always_inline]] static void run_node(Machine& m, const moment& at, Pull& pull) {
    if constexpr (Node == plan.deliver) {
      // The result is where it should be; the calling thread hands it out after the barrier.
    } else if constexpr (Node == plan.pull) {
      if (take(m, at, pull)) ++m.pulled;
    } else {
      constexpr std::size_t lag = plan.lag[Node];
      using task = nth<Node, typename declared<schedule>::tasks>;
      if constexpr (Machine::observed) m.observer.started(Thread, Node, at.progress() - lag);
      call<task, Node, lag>(m, at, typename body<task>::reads{}, typename body<task>::writes{});
      if constexpr (Machine::observed) m.observer.finished(Thread, Node, at.progress() - lag);
    }
  }

  template <class Task, std::size_t Node, std::size_t Lag, class... R, class... W>
  [[gnu::always_inline]] static void call(Machine& m, const moment& at, pack<R...>, pack<W...>) {
    if constexpr (body<Task>::wants_context) {
      const std::size_t progress = at.progress();
      task_context ctx(progress - Lag, progress, m.now, name_of<Task>.text,
                       plan.thread_names[Thread]);
      m.template task<Node>()(ctx, std::as_const(at.template value<R, Lag>(m.memory))...,
                              at.template value<W, Lag>(m.memory)...);
    } else {
      m.template task<Node>()(std::as_const(at.template value<R, Lag>(m.memory))...,
                              at.template value<W, Lag>(m.memory)...);
    }
  }
};

}  // namespace stretto::detail
