// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/dynamic/machine.hpp>
#include <stretto/execute/went.hpp>
#include <stretto/plan/fire.hpp>
#include <utility>

namespace stretto::dynamic::detail {

using stretto::detail::for_good;
using stretto::detail::went;

/// What one host thread does in a run: the steps of its table in order, each after its waits,
/// progress after progress. The protocol is that of the chains of types (execute/chain.hpp): a
/// chain publishes every signal it owns, per progress and when it runs no more for good.
template <class Machine>
class chain {
  using position = typename Machine::position;
  using waiting = typename Machine::waiting;
  using host = detail::host<waiting>;
  using step_signals = detail::step_signals<waiting>;
  using wait = detail::wait<waiting>;

 public:
  /// A whole run, on a thread of the crew.
  static void run(Machine& m, position& where) {
    const host& self = where.self();
    while (!m.over(where.next_progress())) {
      if (self.workers > 1) {
        // Tasks are long where workers pay, and the source's end may lie in a fellow's progress.
        masked(m, where);
        where.skip(self.workers - 1);
      } else if (can_be_steady(m, self, where.next_progress())) {
        while (steady(m, where) == went::on) {
        }
      } else {
        masked(m, where);
      }
      if (m.stopped[self.number].early) return;
    }
    leave(m, where);
  }

  /// Whether every task of the calling thread fires in a progress if the source has one more batch
  /// for it.
  static bool can_be_steady(const Machine& m, std::size_t progress) {
    return can_be_steady(m, m.hosts.front(), progress);
  }

  /// Advances by one progress in which every task fires, if there is one more batch, and runs it.
  static went steady(Machine& m, position& where) {
    begin(m, where);
    where.advance();
    went w = went::on;
    if (m.alone && m.told.load(std::memory_order_relaxed) == stretto::detail::standing::go_on) {
      w = all_steps<true>(m, where);
    } else {
      w = all_steps<false>(m, where);
    }
    return m.meets ? meet(m, where, w) : w;
  }
  template <class Pull>
  static went steady(Machine& m, position& where, Pull&) {
    return steady(m, where);
  }

  /// The same for a progress in which the fire rule tells each task whether it fires.
  [[gnu::noinline]] static went masked(Machine& m, position& where) {
    begin(m, where);
    where.advance();
    const went w = walk(m, where, 0);
    return m.meets ? meet(m, where, w) : w;
  }
  template <class Pull>
  static went masked(Machine& m, position& where, Pull&) {
    return masked(m, where);
  }

  /// Runs no more, having finished the progress \p where is at.
  static void leave(Machine& m, const position& where) {
    stopping_point& left = m.stopped[where.self().number];
    left.progress = where.next_progress();
    left.place = 0;
    release(m, where.self(), where.epoch());
  }

 private:
  static bool can_be_steady(const Machine& m, const host& h, std::size_t progress) {
    return progress >= h.oldest && progress <= m.batches() + h.newest;
  }

  /// Before a progress: who waits for whom to start.
  static void begin(Machine& m, const position& where) {
    const std::uint32_t before = where.epoch();
    if (m.meets) {
      if (where.self().number == 0) {
        m.start.open.publish(before + 1);
      } else {
        m.start.open.await(before + 1);
      }
    } else if (where.self().number == 0 && m.delivered != nullptr) {
      m.delivered->publish(before);
    }
  }

  /// The barrier after a progress.
  static went meet(Machine& m, const position& where, went w) {
    if (w == went::stopped) return w;
    const host& self = where.self();
    if (self.number != 0) {
      m.closed[self.number - 1].publish(where.epoch());
      return w;
    }
    const std::size_t threads = m.plan.plan().threads.names.size();
    for (std::size_t t = 1; t < threads; ++t)
      m.closed[m.host_at(t, where.progress()) - 1].await(where.epoch());
    if (m.stopping()) [[unlikely]]
      return stop_at(m, self, where.progress() + 1, 0, where.epoch());
    return w;
  }

  /// All steps of a progress. Alone, nobody waits, and whether to stop has been asked.
  template <bool Alone>
  [[gnu::always_inline]] static went all_steps(Machine& m, position& where) {
    const host& self = where.self();
    const std::size_t progress = where.progress();
    const std::uint32_t epoch = where.epoch();
    const frame* const first = where.frames();
    const frame* const end = first + self.steps;
    const frame* at = first;
    const step_signals* signals = self.signals.data();
    try {
      if (self.pulls) {
        if (!ready<Alone>(m, self, *signals, progress, epoch)) [[unlikely]]
          return stop_at(m, self, progress, 0, epoch);
        const bool batch = pull(m, self, *at, progress);
        tell<Alone>(*signals, epoch);
        if (!batch) [[unlikely]]
          return partly(walk(m, where, 1));
        ++at;
        ++signals;
      } else {
        for (const frame* const first_new = first + self.first_new; at != first_new;
             ++at, ++signals) {
          if (!ready<Alone>(m, self, *signals, progress, epoch)) [[unlikely]]
            return stop_at(m, self, progress, at->facts->place, epoch);
          call(m, self, *at, progress);
          tell<Alone>(*signals, epoch);
        }
        if (!ready<Alone>(m, self, *signals, progress, epoch)) [[unlikely]]
          return stop_at(m, self, progress, at->facts->place, epoch);
        if (progress >= m.batches() + self.newest) [[unlikely]]
          return partly(walk(m, where, self.first_new));
        call(m, self, *at, progress);
        tell<Alone>(*signals, epoch);
        ++at;
        ++signals;
      }
      for (; at != end; ++at, ++signals) {
        if (!ready<Alone>(m, self, *signals, progress, epoch)) [[unlikely]]
          return stop_at(m, self, progress, at->facts->place, epoch);
        call(m, self, *at, progress);
        tell<Alone>(*signals, epoch);
      }
    } catch (...) {
      return failed(m, self, *at, progress, epoch, std::current_exception());
    }
    return went::on;
  }

  static went partly(went w) { return w == went::on ? went::partly : w; }

  /// The steps from one on, each only if it fires.
  [[gnu::noinline]] static went walk(Machine& m, position& where, std::size_t first) {
    const host& self = where.self();
    const std::size_t progress = where.progress();
    const std::uint32_t epoch = where.epoch();
    for (std::size_t i = first; i < self.steps; ++i) {
      const frame& f = where.frames()[i];
      if (!ready<false>(m, self, self.signals[i], progress, epoch))
        return stop_at(m, self, progress, f.facts->place, epoch);
      try {
        if (f.facts->node == m.pull()) {
          if (m.batches() == Machine::not_yet_known) pull(m, self, f, progress);
        } else if (plan::fires(f.facts->lag, progress, m.batches())) {
          call(m, self, f, progress);
        }
      } catch (...) {
        return failed(m, self, f, progress, epoch, std::current_exception());
      }
      tell<false>(self.signals[i], epoch);
    }
    return went::on;
  }

  /// Waits for what a step has to wait for. Whether to go on.
  template <bool Alone>
  [[gnu::always_inline]] static bool ready(Machine& m, const host& self, const step_signals& s,
                                           std::size_t progress, std::uint32_t epoch) {
    if constexpr (!Alone) {
      for (std::size_t i = s.first_wait; i != s.last_wait; ++i) {
        const wait& w = self.waits[i];
        // Before progress 0 the epoch is one that every signal has reached, whosoever it is.
        const std::size_t of = w.workers == 1 ? 0 : (progress - w.back) % w.workers;
        w.on[of].await(epoch - w.back);
      }
      return !m.stopping();
    }
    return true;
  }

  /// Tells who waits for a step.
  template <bool Alone>
  [[gnu::always_inline]] static void tell(const step_signals& s, std::uint32_t epoch) {
    if constexpr (!Alone)
      if (s.said != nullptr) s.said->publish(epoch);
  }

  [[gnu::always_inline]] static void call(Machine& m, const host& self, const frame& f,
                                          std::size_t progress) {
    if constexpr (Machine::observed) {
      if (f.facts->node == m.deliver()) return;
      m.observer.started(self.number, f.facts->node, progress - f.facts->lag);
    }
    f.body(f, progress);
    if constexpr (Machine::observed)
      m.observer.finished(self.number, f.facts->node, progress - f.facts->lag);
  }

  /// Asks the source for a batch; whether there was one.
  [[gnu::always_inline]] static bool pull(Machine& m, const host& self, const frame& f,
                                          std::size_t progress) {
    if constexpr (Machine::observed) m.observer.started(self.number, f.facts->node, progress);
    const bool batch = m.feed.fill(m.feed.source, *f.slots);
    // relaxed: published by the signal of the pull.
    if (!batch) m.end.store(progress, std::memory_order_relaxed);
    if constexpr (Machine::observed) m.observer.finished(self.number, f.facts->node, progress);
    return batch;
  }

  /// Inside a handler.
  [[gnu::noinline, gnu::cold]] static went failed(Machine& m, const host& self, const frame& f,
                                                  std::size_t progress, std::uint32_t epoch,
                                                  std::exception_ptr error) {
    m.stopped[self.number].failure = {f.facts->node, std::move(error)};
    m.tell_to_stop();  // published by the signals that follow
    return stop_at(m, self, progress, f.facts->place, epoch);
  }

  [[gnu::noinline, gnu::cold]] static went stop_at(Machine& m, const host& self,
                                                   std::size_t progress, std::size_t place,
                                                   std::uint32_t epoch) {
    stopping_point& here = m.stopped[self.number];
    here.progress = progress;
    here.place = place;
    here.early = true;
    release(m, self, epoch);
    return went::stopped;
  }

  /// Lets everybody go on who waits for this thread, now or later.
  [[gnu::noinline]] static void release(Machine& m, const host& self, std::uint32_t epoch) {
    for (signal<waiting>* s : self.owned) s->publish(epoch + for_good);
    if (m.meets) {
      if (self.number == 0) {
        m.start.open.publish(epoch + for_good);
      } else {
        m.closed[self.number - 1].publish(epoch + for_good);
      }
    }
  }
};

}  // namespace stretto::dynamic::detail
