// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/declare/context.hpp>
#include <stretto/dynamic/execute/machine.hpp>
#include <stretto/observe/observer.hpp>
#include <stretto/plan/model/firing.hpp>
#include <stretto/run/observer_error.hpp>
#include <stretto/run/progress_result.hpp>
#include <utility>

namespace stretto::dynamic::detail {

using stretto::detail::for_good;
using stretto::detail::progress_result;

/// What one host thread does in a run: the steps of its table in order, each after its waits,
/// progress after progress. The protocol is that of the chains of types (static/execute/chain.hpp):
/// a chain publishes every signal it owns, per progress and when it runs no more for good.
template <class Machine>
class chain {
  using position = typename Machine::position;
  using waiting = typename Machine::waiting;
  using host = detail::host<waiting>;
  using step_signals = detail::step_signals<waiting>;
  using wait = detail::wait<waiting>;

 public:
  /// Before the first progress of a run: makes the slots' values that this thread is to make,
  /// unless it has. Whether they are there; otherwise the run has failed.
  static bool prepare(Machine& m, const position& where) {
    const std::size_t number = where.self().number;
    stretto::detail::caught failure;
    if constexpr (Machine::submits) failure = enter_device(m, where.self());
    if (failure.node == planner::none) failure = m.make_values(number);
    if (failure.node == planner::none) return true;
    m.stopped[number].failure = std::move(failure);
    m.tell_to_stop();
    stop_at(m, where.self(), 0, where.next_progress(), where.epoch());
    return false;
  }

  /// A whole run, on a thread of the team.
  static void run(Machine& m, position& where) {
    if (!prepare(m, where)) return;
    const host& self = where.self();
    while (!m.over(where.next_progress())) {
      if (self.workers > 1) {
        // Tasks are long where workers pay, and the source's end may lie in a fellow's progress.
        masked(m, where);
        where.skip(self.workers - 1);
      } else if (can_be_steady(m, self, where.next_progress())) {
        while (steady(m, where) == progress_result::complete) {
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
  static progress_result steady(Machine& m, position& where) {
    begin(m, where);
    where.advance();
    progress_result w = progress_result::complete;
    if (where.self().segment == 1) {
      w = all_steps(m, where);
    } else if (m.told.load(std::memory_order_relaxed) == stretto::detail::standing::go_on) {
      w = all_segments(m, where);
    } else {  // somebody may ask for a stop between any two tasks
      w = walk(m, where, 0);
      if (w == progress_result::complete && m.batches() != Machine::not_yet_known)
        w = progress_result::partial;
    }
    return m.meets ? meet(m, where, w) : w;
  }
  template <class Pull>
  static progress_result steady(Machine& m, position& where, Pull&) {
    return steady(m, where);
  }

  /// Runs a progress in which the firing rule tells each task whether it fires.
  [[gnu::noinline]] static progress_result masked(Machine& m, position& where) {
    begin(m, where);
    where.advance();
    const progress_result w = walk(m, where, 0);
    return m.meets ? meet(m, where, w) : w;
  }
  template <class Pull>
  static progress_result masked(Machine& m, position& where, Pull&) {
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

  /// Gives the thread what it needs to submit to the device.
  static stretto::detail::caught enter_device(Machine& m, const host& self) {
    try {
      m.device.enter(self.thread);
    } catch (...) {
      return {self.frames.front().facts->node, std::current_exception()};
    }
    return {};
  }

  /// Before a progress: who waits for whom to start.
  static void begin(Machine& m, const position& where) {
    const std::uint32_t before = where.epoch();
    if constexpr (Machine::submits)
      if (where.self().number == 0 && before != 0)
        m.device.release_result(m.deliver(), where.progress());
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
  static progress_result meet(Machine& m, const position& where, progress_result w) {
    if (w == progress_result::stopped) return w;
    const host& self = where.self();
    if (self.number != 0) {
      m.closed[self.number - 1].publish(where.epoch());
      return w;
    }
    const std::size_t threads = m.plan.plan().threads.names.size();
    for (std::size_t t = 1; t < threads; ++t)
      m.closed[m.host_at(t, where.progress()) - 1].await(where.epoch());
    if (m.stopping()) [[unlikely]]
      return stopped(m, self, 0, where.progress() + 1, where.epoch());
    return w;
  }

  /// All steps of a progress, one by one.
  [[gnu::always_inline]] static progress_result all_steps(Machine& m, position& where) {
    const host& self = where.self();
    const std::size_t progress = where.progress();
    const std::uint32_t epoch = where.epoch();
    const frame* const frames = where.frames();
    const frame* now = frames;
    const auto until = [&](std::size_t& step, std::size_t end) {
      for (; step != end; ++step) {
        if (!ready(m, self, step, progress, epoch)) [[unlikely]]
          return false;
        call(m, self, frames + 2 * step, progress, now);  // each step is a segment
        tell(self, step, epoch);
      }
      return true;
    };
    std::size_t step = 0;
    try {
      if (self.pulls) {
        if (!ready(m, self, 0, progress, epoch)) [[unlikely]]
          return stop_at(m, self, 0, progress, epoch);
        const bool batch = pull(m, self, *frames, progress);
        tell(self, 0, epoch);
        if (!batch) [[unlikely]]
          return partly(walk(m, where, 1));
        step = 1;
      } else {
        if (!until(step, self.first_new)) [[unlikely]]
          return stop_at(m, self, step, progress, epoch);
        // Whether the newest batch exists is known when its first task may start.
        await(self, step, progress, epoch);
        if (progress >= m.batches() + self.newest) [[unlikely]]
          return partly(walk(m, where, step));
      }
      if (!until(step, self.steps)) [[unlikely]]
        return stop_at(m, self, step, progress, epoch);
    } catch (...) {
      return failed(m, self, *now, progress, epoch, std::current_exception());
    }
    return progress_result::complete;
  }

  /// Runs a progress on the calling thread alone, if nobody can ask it to stop: segment by segment.
  [[gnu::always_inline]] static progress_result all_segments(Machine& m, position& where) {
    const host& self = where.self();
    const std::size_t progress = where.progress();
    const frame* const frames = where.frames();
    const frame* const end = frames + self.stride;
    const frame* now = frames;
    try {
      if (!pull(m, self, *frames, progress)) [[unlikely]]
        return partly(walk(m, where, 1));
      frames[1].body(frames + 1, progress, &now);
      for (const frame* at = frames + self.segment + 1; at < end; at += self.segment + 1)
        at->body(at, progress, &now);
    } catch (...) {
      return failed(m, self, *now, progress, where.epoch(), std::current_exception());
    }
    return progress_result::complete;
  }

  static progress_result partly(progress_result w) {
    return w == progress_result::complete ? progress_result::partial : w;
  }

  /// The steps from one on, each only if it fires.
  [[gnu::noinline]] static progress_result walk(Machine& m, position& where, std::size_t first) {
    const host& self = where.self();
    const std::size_t progress = where.progress();
    const std::uint32_t epoch = where.epoch();
    for (std::size_t step = first; step < self.steps; ++step) {
      const frame& f = where.frames()[self.frame_of(step)];
      if (!ready(m, self, step, progress, epoch)) return stop_at(m, self, step, progress, epoch);
      try {
        if (f.facts->node == m.pull()) {
          if (m.batches() == Machine::not_yet_known) {
            pull(m, self, f, progress);
          } else {
            pass(m, f, progress);
          }
        } else if (planner::fires(f.facts->lag, progress, m.batches())) {
          const frame alone[2] = {f, {}};
          const frame* now = alone;
          call(m, self, alone, progress, now);
        } else {
          pass(m, f, progress);
        }
      } catch (...) {
        return failed(m, self, f, progress, epoch, std::current_exception());
      }
      tell(self, step, epoch);
    }
    return progress_result::complete;
  }

  /// Waits for what a step has to wait for.
  [[gnu::always_inline]] static void await(const host& self, std::size_t step, std::size_t progress,
                                           std::uint32_t epoch) {
    const step_signals& s = self.signal_list[step];
    for (std::size_t i = s.first_wait; i != s.last_wait; ++i) {
      const wait& w = self.waits[i];
      // Before progress 0 the epoch is one that every signal has reached, whosoever it is.
      const std::size_t of = w.workers == 1 ? 0 : (progress - w.back) % w.workers;
      w.on[of].await(epoch - w.back);
    }
  }
  /// Waits for what a step has to wait for; whether to go on then.
  [[gnu::always_inline]] static bool ready(Machine& m, const host& self, std::size_t step,
                                           std::size_t progress, std::uint32_t epoch) {
    await(self, step, progress, epoch);
    return !m.stopping();
  }

  /// Tells who waits for a step.
  [[gnu::always_inline]] static void tell(const host& self, std::size_t step, std::uint32_t epoch) {
    if (signal<waiting>* const said = self.signal_list[step].said; said != nullptr)
      said->publish(epoch);
  }

  /// Tells the observer.
  static void started(Machine& m, const host& self, std::size_t node, std::size_t progress,
                      std::size_t batch) {
    try {
      tell_started(m, self, node, progress, batch);
    } catch (...) {
      stretto::detail::throw_observer_error(false);
    }
  }
  static void tell_started(Machine& m, const host& self, std::size_t node, std::size_t progress,
                           std::size_t batch) {
    if constexpr (stretto::detail::observes_phases<decltype(m.observer)>) {
      const bool filled = planner::filled(m.plan.plan().resolved.max_lookahead, progress);
      const phase now = progress > m.batches() ? phase::drain
                        : filled               ? phase::steady
                                               : phase::prefill;
      m.observer.started(self.number, node, batch, now);
    } else {
      m.observer.started(self.number, node, batch);
    }
  }

  static void finished(Machine& m, const host& self, std::size_t node, std::size_t batch) {
    try {
      m.observer.finished(self.number, node, batch);
    } catch (...) {
      stretto::detail::throw_observer_error(true);
    }
  }

  /// Of a task that does not fire: what others have to wait for leads through it, too.
  static void pass([[maybe_unused]] Machine& m, [[maybe_unused]] const frame& f,
                   [[maybe_unused]] std::size_t progress) {
    if constexpr (Machine::submits) {
      m.device.before(f.facts->node, progress);
      m.device.after(f.facts->node, progress, false);
    }
  }

  [[gnu::always_inline]] static void call(Machine& m, const host& self, const frame* f,
                                          std::size_t progress, const frame*& now) {
    if constexpr (Machine::submits || Machine::observed) now = f;
    if constexpr (Machine::submits) m.device.before(f->facts->node, progress);
    if constexpr (Machine::observed) {
      if (f->facts->node == m.deliver()) return;
      started(m, self, f->facts->node, progress, progress - f->facts->lag);
    }
    f->body(f, progress, &now);
    if constexpr (Machine::submits) m.device.after(f->facts->node, progress, true);
    if constexpr (Machine::observed) finished(m, self, f->facts->node, progress - f->facts->lag);
  }

  /// Asks the source for a batch; whether there was one.
  [[gnu::always_inline]] static bool pull(Machine& m, const host& self, const frame& f,
                                          std::size_t progress) {
    if constexpr (Machine::submits) m.device.before(f.facts->node, progress);
    if constexpr (Machine::observed) started(m, self, f.facts->node, progress, progress);
    const bool batch = m.feed.fill(m.feed.source, *f.slot_list);
    // relaxed: published by the signal of the pull.
    if (!batch) m.end.store(progress, std::memory_order_relaxed);
    if constexpr (Machine::observed) finished(m, self, f.facts->node, progress);
    return batch;
  }

  /// Inside a handler.
  [[gnu::noinline, gnu::cold]] static progress_result failed(Machine& m, const host& self,
                                                             const frame& f, std::size_t progress,
                                                             std::uint32_t epoch,
                                                             std::exception_ptr error) {
    std::size_t place = f.facts->place;
    if constexpr (Machine::observed)
      if (stretto::detail::tell_observer(m.observer, self.number, f.facts->node,
                                         progress - f.facts->lag, error))
        ++place;  // it has run
    m.stopped[self.number].failure = {f.facts->node, std::move(error)};
    m.tell_to_stop();  // published by the signals that follow
    return stopped(m, self, place, progress, epoch);
  }

  /// Stops before a step.
  [[gnu::noinline, gnu::cold]] static progress_result stop_at(Machine& m, const host& self,
                                                              std::size_t step,
                                                              std::size_t progress,
                                                              std::uint32_t epoch) {
    return stopped(m, self, self.frames[self.frame_of(step)].facts->place, progress, epoch);
  }

  static progress_result stopped(Machine& m, const host& self, std::size_t place,
                                 std::size_t progress, std::uint32_t epoch) {
    stopping_point& here = m.stopped[self.number];
    here.progress = progress;
    here.place = place;
    here.early = true;
    release(m, self, epoch);
    return progress_result::stopped;
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
