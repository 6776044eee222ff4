// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

  /// Which tasks fire: all; all but those for the batch that there turned out not to be; those that
  /// the fire rule says.
  enum class mode { steady, ending, masked };

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
      if (!places<mode::steady, 0, first_new>(m, at, pull)) [[unlikely]]
        return false;
      if constexpr (first_new < length) {
        await<first_new>(m, at);
        if (m.ended) [[unlikely]]
          return end(m, where, pull);
      }
    }
    return places<mode::steady, first_new, length>(m, at, pull);
  }

  /// The same for a progress in which the fire rule tells each task whether it fires.
  template <class Pull>
  [[gnu::noinline]] static void run_masked(Machine& m, position& where, Pull& pull) {
    places<mode::masked, 0, length>(m, where.advance(), pull);
  }

 private:
  /// The rest of the progress in which the source turned out to have ended.
  template <class Pull>
  [[gnu::noinline]] static bool end(Machine& m, const position& where, Pull& pull) {
    places<mode::ending, first_new, length>(m, where.now(), pull);
    return false;
  }

  // In pieces, because Clang limits a fold to 256 terms.
  template <mode Mode, std::size_t First, std::size_t Last, class Pull>
  [[gnu::always_inline]] static bool places(Machine& m, const moment& at, Pull& pull) {
    constexpr std::size_t piece = 64;
    if constexpr (Last - First > piece) {
      return places<Mode, First, First + piece>(m, at, pull) &&
             places<Mode, First + piece, Last>(m, at, pull);
    } else {
      return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        return (place<Mode, First + I>(m, at, pull) && ...);
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

  template <mode Mode, std::size_t Place, class Pull>
  [[gnu::always_inline]] static bool place(Machine& m, const moment& at, Pull& pull) {
    if constexpr (pulls || Mode == mode::masked || Place != first_new) await<Place>(m, at);
    return guarded<Place>(
        m, at, [&]() __attribute__((always_inline)) {
          if (fires<Mode, Place>(m, at)) run_node<node<Place>>(m, at, pull);
        });
  }

  /// Runs what is at a place unless the pipeline stops, and tells who waits for it.
  template <std::size_t Place, class Run>
  [[gnu::always_inline]] static bool guarded(Machine& m, const moment& at, Run run) {
    if constexpr (!Machine::alone) {
      // relaxed: who stops sets this before it publishes the signals that others wait for.
      if (m.stop.load(std::memory_order_relaxed)) [[unlikely]]
        return stopped<Place>(m, at.epoch());
    }
    try {
      run();
    } catch (...) {
      return failed<Place>(m, at.epoch(), std::current_exception());
    }
    publish<Place>(m, at);
    return true;
  }

  template <mode Mode, std::size_t Place>
  static bool fires(const Machine& m, const moment& at) {
    constexpr std::size_t lag = plan.lag[node<Place>];
    if constexpr (Mode == mode::steady) {
      return true;
    } else if constexpr (Mode == mode::ending) {
      return lag != 0;
    } else if constexpr (node<Place> == plan.pull) {
      return !m.ended;
    } else if constexpr (lag == 0) {
      return plan::fires(lag, at.progress(), m.pulled);
    } else {
      return plan::fires(lag, at.progress(), m.known);
    }
  }

  template <std::size_t Place>
  [[gnu::noinline, gnu::cold]] static bool failed(Machine& m, std::uint32_t epoch,
                                                  std::exception_ptr error) {
    m.outcomes[Thread].failure = {node<Place>, std::move(error)};
    m.stop.store(true, std::memory_order_relaxed);  // published by the signals that follow
    return stopped<Place>(m, epoch);
  }

  template <std::size_t Place>
  [[gnu::noinline, gnu::cold]] static bool stopped(Machine& m,
                                                   [[maybe_unused]] std::uint32_t epoch) {
    m.outcomes[Thread].stopped_at = Place;
    if constexpr (!Machine::alone) {
      for (std::size_t i = Place; i < length; ++i) {
        const std::size_t n = plan.chained[nodes.first + i];
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
