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
  using step = detail::step<waiting>;
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
    if (!m.alone) {
      w = all_steps<true>(m, where);
    } else if (m.told.load(std::memory_order_relaxed) == stretto::detail::standing::go_on) {
      w = all_steps<false>(m, where);
    } else {
      w = all_steps<true>(m, where);
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

  template <bool Heeds>
  [[gnu::always_inline]] static went all_steps(Machine& m, position& where) {
    host& self = where.self();
    const std::size_t progress = where.progress();
    const std::uint32_t epoch = where.epoch();
    step* at = self.steps.data();
    step* const end = at + self.steps.size();
    const wait* waits = self.waits.data();
    try {
      if (self.pulls) {
        await<Heeds>(*at, waits, progress, epoch);
        if constexpr (Heeds)
          if (m.stopping()) [[unlikely]]
            return stop_at(m, self, progress, 0, epoch);
        const bool batch = pull(m, self, *at, progress);
        self.turn(*at, progress);
        if (at->said != nullptr) at->said->publish(epoch);
        ++at;
        if (!batch) [[unlikely]]
          return partly(walk(m, where, 1));
      } else {
        step* const first_new = at + self.first_new;
        for (; at != first_new; ++at) {
          await<Heeds>(*at, waits, progress, epoch);
          if constexpr (Heeds)
            if (m.stopping()) [[unlikely]]
              return stop_at(m, self, progress, at->facts->place, epoch);
          run_step(m, self, *at, progress, epoch);
        }
        await<Heeds>(*at, waits, progress, epoch);
        if (progress >= m.batches() + self.newest) [[unlikely]]
          return partly(walk(m, where, self.first_new));
        if constexpr (Heeds)
          if (m.stopping()) [[unlikely]]
            return stop_at(m, self, progress, at->facts->place, epoch);
        run_step(m, self, *at, progress, epoch);
        ++at;
      }
      for (; at != end; ++at) {
        await<Heeds>(*at, waits, progress, epoch);
        if constexpr (Heeds)
          if (m.stopping()) [[unlikely]]
            return stop_at(m, self, progress, at->facts->place, epoch);
        run_step(m, self, *at, progress, epoch);
      }
    } catch (...) {
      return failed(m, self, *at, progress, epoch, std::current_exception());
    }
    return went::on;
  }

  static went partly(went w) { return w == went::on ? went::partly : w; }

  /// The steps from one on, each only if it fires.
  [[gnu::noinline]] static went walk(Machine& m, position& where, std::size_t first) {
    host& self = where.self();
    const std::size_t progress = where.progress();
    const std::uint32_t epoch = where.epoch();
    for (std::size_t i = first; i < self.steps.size(); ++i) {
      step& s = self.steps[i];
      const wait* waits = self.waits.data() + self.first_wait[i];
      await<true>(s, waits, progress, epoch);
      if (m.stopping()) return stop_at(m, self, progress, s.facts->place, epoch);
      try {
        const std::size_t n = s.facts->node;
        if (n == m.pull()) {
          if (m.batches() == Machine::not_yet_known) pull(m, self, s, progress);
        } else if (plan::fires(s.facts->lag, progress, m.batches())) {
          call(m, self, s, progress);
        }
      } catch (...) {
        return failed(m, self, s, progress, epoch, std::current_exception());
      }
      self.turn(s, progress);
      if (s.said != nullptr) s.said->publish(epoch);
    }
    return went::on;
  }

  template <bool Waits>
  [[gnu::always_inline]] static void await(const step& s, const wait*& waits, std::size_t progress,
                                           std::uint32_t epoch) {
    if constexpr (Waits) {
      for (const wait* const end = waits + s.wait_count; waits != end; ++waits) {
        // Before progress 0 the epoch is one that every signal has reached, whosoever it is.
        const std::size_t of = waits->workers == 1 ? 0 : (progress - waits->back) % waits->workers;
        waits->on[of].await(epoch - waits->back);
      }
    }
  }

  [[gnu::always_inline]] static void run_step(Machine& m, host& self, step& s, std::size_t progress,
                                              std::uint32_t epoch) {
    call(m, self, s, progress);
    self.turn(s, progress);
    if (s.said != nullptr) s.said->publish(epoch);
  }

  [[gnu::always_inline]] static void call(Machine& m, const host& self, const step& s,
                                          std::size_t progress) {
    if constexpr (Machine::observed) {
      if (s.facts->node == m.deliver()) return;
      m.observer.started(self.number, s.facts->node, progress - s.facts->lag);
    }
    s.body(s.object, s.slots, *s.facts, progress);
    if constexpr (Machine::observed)
      m.observer.finished(self.number, s.facts->node, progress - s.facts->lag);
  }

  /// Asks the source for a batch; whether there was one.
  [[gnu::always_inline]] static bool pull(Machine& m, const host& self, const step& s,
                                          std::size_t progress) {
    if constexpr (Machine::observed) m.observer.started(self.number, s.facts->node, progress);
    const bool batch = m.feed.fill(m.feed.source, *s.slots);
    // relaxed: published by the signal of the pull.
    if (!batch) m.end.store(progress, std::memory_order_relaxed);
    if constexpr (Machine::observed) m.observer.finished(self.number, s.facts->node, progress);
    return batch;
  }

  /// Inside a handler.
  [[gnu::noinline, gnu::cold]] static went failed(Machine& m, const host& self, const step& s,
                                                  std::size_t progress, std::uint32_t epoch,
                                                  std::exception_ptr error) {
    m.stopped[self.number].failure = {s.facts->node, std::move(error)};
    m.tell_to_stop();  // published by the signals that follow
    return stop_at(m, self, progress, s.facts->place, epoch);
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
    for (signal<waiting>* s : self.signals) s->publish(epoch + for_good);
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
