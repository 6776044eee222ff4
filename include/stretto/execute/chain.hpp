// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <stretto/execute/context.hpp>
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
  static constexpr const auto& plan = Machine::plan;
  static constexpr plan::range nodes = plan.chains[Thread];
  static constexpr std::size_t length = nodes.last - nodes.first;

  template <std::size_t Place>
  static constexpr std::size_t node = plan.chained[nodes.first + Place];

  /// The first task that works on the batch pulled in this same progress: until there the source
  /// need not be asked whether it exists.
  static constexpr std::size_t first_new = [] {
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t n = plan.chained[nodes.first + i];
      if (plan.lag[n] == 0 && n != plan.pull) return i;
    }
    return length;
  }();

  enum class mode { steady, masked };

 public:
  /// Runs one progress. \p pull fills a source slot and returns whether there was a batch.
  template <class Pull>
  [[gnu::always_inline]] static void run(Machine& m, position& at, Pull& pull) {
    if (!m.steady()) [[unlikely]]
      return masked(m, at, pull);
    if (!places<mode::steady, 0, first_new>(m, at, pull)) [[unlikely]]
      return;
    if constexpr (first_new < length) {
      await<first_new>(m);
      if (m.pulled == m.known) [[unlikely]]
        return drain(m, at, pull);
      places<mode::steady, first_new, length>(m, at, pull);
    }
  }

 private:
  template <class Pull>
  [[gnu::noinline]] static void masked(Machine& m, position& at, Pull& pull) {
    places<mode::masked, 0, length>(m, at, pull);
  }

  /// The rest of the progress in which the source turned out to have ended.
  template <class Pull>
  [[gnu::noinline]] static void drain(Machine& m, position& at, Pull& pull) {
    places<mode::masked, first_new, length>(m, at, pull);
  }

  // In pieces, because Clang limits a fold to 256 terms.
  template <mode Mode, std::size_t First, std::size_t Last, class Pull>
  [[gnu::always_inline]] static bool places(Machine& m, position& at, Pull& pull) {
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
  [[gnu::always_inline]] static void await(Machine& m) {
    if constexpr (!Machine::alone) {
      constexpr plan::range waits = plan.waits_of[node<Place>];
      [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
        (m.signals[plan.host_waits[waits.first + I].producer].await(m.epoch), ...);
      }
      (std::make_index_sequence<waits.last - waits.first>{});
    }
  }

  template <std::size_t Place>
  [[gnu::always_inline]] static void publish(Machine& m) {
    if constexpr (plan.awaited[node<Place>]) m.signals[node<Place>].publish(m.epoch);
  }

  template <mode Mode, std::size_t Place, class Pull>
  [[gnu::always_inline]] static bool place(Machine& m, position& at, Pull& pull) {
    if constexpr (Mode == mode::masked || Place != first_new) await<Place>(m);
    if constexpr (!Machine::alone) {
      // relaxed: who stops sets this before it publishes the signals that others wait for.
      if (m.stop.load(std::memory_order_relaxed)) [[unlikely]]
        return stopped<Place>(m);
    }
    if (Mode == mode::steady || fires<Place>(m, at)) {
      try {
        run_node<node<Place>>(m, at, pull);
      } catch (...) {
        return failed<Place>(m, std::current_exception());
      }
    }
    publish<Place>(m);
    return true;
  }

  template <std::size_t Place>
  static bool fires(const Machine& m, const position& at) {
    constexpr std::size_t lag = plan.lag[node<Place>];
    if constexpr (node<Place> == plan.pull) {
      return !m.ended;
    } else if constexpr (lag == 0) {
      return plan::fires(lag, at.progress(), m.pulled);
    } else {
      return plan::fires(lag, at.progress(), m.known);
    }
  }

  template <std::size_t Place>
  [[gnu::noinline, gnu::cold]] static bool failed(Machine& m, std::exception_ptr error) {
    m.outcomes[Thread].failure = {node<Place>, std::move(error)};
    m.stop.store(true, std::memory_order_relaxed);  // published by the signals that follow
    return stopped<Place>(m);
  }

  template <std::size_t Place>
  [[gnu::noinline, gnu::cold]] static bool stopped(Machine& m) {
    m.outcomes[Thread].stopped_at = Place;
    if constexpr (!Machine::alone) {
      for (std::size_t i = Place; i < length; ++i) {
        const std::size_t n = plan.chained[nodes.first + i];
        if (plan.awaited[n]) m.signals[n].publish(m.epoch);
      }
    }
    return false;
  }

  template <std::size_t Node, class Pull>
  [[gnu::always_inline]] static void run_node(Machine& m, position& at, Pull& pull) {
    if constexpr (Node == plan.deliver) {
      // The result is where it should be; the calling thread hands it out after the barrier.
    } else if constexpr (Node == plan.pull) {
      using slot = typename declared<schedule>::source_part::slot;
      const std::size_t batch = at.progress();
      if constexpr (Machine::observed) m.observer.started(Thread, Node, batch);
      if (pull(slot_value<slot, 0>(m.memory, at))) {
        ++m.pulled;
      } else {
        m.ended = true;
      }
      if constexpr (Machine::observed) m.observer.finished(Thread, Node, batch);
    } else {
      constexpr std::size_t lag = plan.lag[Node];
      using task = nth<Node, typename declared<schedule>::tasks>;
      if constexpr (Machine::observed) m.observer.started(Thread, Node, at.progress() - lag);
      call<task, Node, lag>(m, at, typename body<task>::reads{}, typename body<task>::writes{});
      if constexpr (Machine::observed) m.observer.finished(Thread, Node, at.progress() - lag);
    }
  }

  template <class Task, std::size_t Node, std::size_t Lag, class... R, class... W>
  [[gnu::always_inline]] static void call(Machine& m, position& at, pack<R...>, pack<W...>) {
    if constexpr (body<Task>::wants_context) {
      const std::size_t progress = at.progress();
      task_context ctx(progress - Lag, progress, m.now, name_of<Task>.text,
                       plan.thread_names[Thread]);
      m.template task<Node>()(ctx, std::as_const(slot_value<R, Lag>(m.memory, at))...,
                              slot_value<W, Lag>(m.memory, at)...);
    } else {
      m.template task<Node>()(std::as_const(slot_value<R, Lag>(m.memory, at))...,
                              slot_value<W, Lag>(m.memory, at)...);
    }
  }
};

}  // namespace stretto::detail
