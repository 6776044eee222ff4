// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <stretto/plan/model/declaration.hpp>
#include <stretto/run/error.hpp>
#include <stretto/run/observer_error.hpp>
#include <stretto/run/progress_result.hpp>
#include <stretto/run/run_state.hpp>
#include <stretto/run/wait/signal.hpp>
#include <utility>

namespace stretto::runner {

/// What one host thread does in a run, whether its tasks are code (static/execute/chain.hpp) or a
/// table (dynamic/execute/chain.hpp): progress after progress, its tasks in order, each after its
/// waits. A worker runs every N-th progress. tests/property/model has it as models, of which every
/// interleaving is tried.
///
/// Whatever happens, a thread publishes every signal it owns: per progress, and when it runs no
/// more for good. So no wait is left hanging, and a thread that wakes up because another one
/// stopped finds `told` set.
///
/// `Chain` derives from it and has
///
///     self_at(where)                        who the thread is: is_caller(), number(progress),
///                                           workers(), first_node(); newest(), the least lag of
///                                           its tasks; is_filled(progress), whether the task of
///                                           the greatest lag fires that many progresses after the
///                                           first; enter_device(machine),
///                                           each_owned(machine, progress, use); where there are
///                                           coroutines, end_calls(machine); with a barrier
///                                           is_opened_by_pull(), closed(machine, at)
///     every_task(machine, where, at, pull)  a progress in which every task fires, if there is one
///                                           more batch; called if machine.may_run_steady()
///     walk(machine, where, at, pull, i)     the tasks from the i-th on, each only if it fires and
///                                           lies before the run's first failure
///     may_alternate, may_be_steady          constants: whether there may be workers, or none
///
/// A task that throws ends the run there (run/first_failure.hpp): its thread goes on behind it, and
/// like every other one runs what lies before the failure, and passes over the rest after waiting
/// for what it would have waited for. Waits that the plan left out, as others lead to them, stay
/// left out with reason.
///
/// Nothing here costs a steady progress anything: what a schedule of types knows, its `self` and
/// its machine tell as constants.
template <class Machine, class Chain>
class protocol {
  using position = typename Machine::position;
  using moment = typename position::moment;

 public:
  /// Before the first progress of a run: makes the slots' values that this thread is to make,
  /// unless it has. Whether they are there; otherwise the run has failed.
  // Not cold: GCC would take what follows for cold, too.
  [[gnu::noinline]] static bool prepare(Machine& m, const position& where) {
    const auto self = Chain::self_at(where);
    const std::size_t host = self.number(where.next_progress());
    caught& failure = m.stopped[host].failure;
    bool ready = true;
    if constexpr (Machine::submits) ready = enter_device(m, self, failure);
    if (ready && m.make_values(host, failure)) {
      if constexpr (requires { m.values_made(); }) m.values_made();
      return true;
    }
    failure.progress = where.next_progress();
    m.tell_to_stop();
    m.ask_source_to_stop();
    stop_at(m, self, where.next_progress(), 0, where.epoch());
    return false;
  }

  /// A whole run, on a thread of the team.
  template <class Pull>
  static void run(Machine& m, position& where, Pull& pull) {
    if (!prepare(m, where)) return;
    const auto self = Chain::self_at(where);
    const std::size_t host = self.number(where.next_progress());
    while (!m.over(where.next_progress())) {
      if (Chain::may_alternate && self.workers() > 1) {
        // Tasks are long where workers pay, and the source's end may lie in a fellow's progress.
        masked(m, where, pull);
        if constexpr (Chain::may_alternate) where.skip(self.workers() - 1);
      } else if (can_be_steady(m, self, where.next_progress())) {
        if constexpr (Chain::may_be_steady) {
          progress_result w = progress_result::complete;
          while (w == progress_result::complete) w = steady(m, where, pull);
          if (w == progress_result::stopped) [[unlikely]]
            rest(m, where, pull);
        }
      } else {
        masked(m, where, pull);
      }
      if (m.stopped[host].early) return;
    }
    leave(m, where);
  }

  /// Whether every task of the thread at \p where fires in its next progress if the source has one
  /// more batch for it.
  static bool can_be_steady(const Machine& m, const position& where) {
    return can_be_steady(m, Chain::self_at(where), where.next_progress());
  }

  /// Advances by one progress in which every task fires, if there is one more batch, and runs it.
  /// \p pull fills the source slot and returns whether there was a batch.
  template <class Pull>
  [[gnu::always_inline]] static progress_result steady(Machine& m, position& where, Pull& pull) {
    begin(m, where);
    // Nobody else gets to see it, so that it stays in registers (with GCC only if it is not const).
    moment at = where.advance();
    const progress_result w = Chain::every_task(m, where, at, pull);
    if constexpr (Machine::may_meet) return meet(m, Chain::self_at(where), at, w);
    return w;
  }

  /// Runs a progress in which the firing rule tells each task whether it fires.
  template <class Pull>
  [[gnu::noinline]] static progress_result masked(Machine& m, position& where, Pull& pull) {
    begin(m, where);
    const moment& at = where.advance();
    const progress_result w = Chain::walk(m, where, at, pull, 0);
    return meet(m, Chain::self_at(where), at, w);
  }

  /// The rest of a steady progress that ended early: nothing if the thread has stopped, and if a
  /// task has failed what lies before that.
  template <class Pull>
  [[gnu::noinline, gnu::cold]] static progress_result rest(Machine& m, position& where,
                                                           Pull& pull) {
    const auto self = Chain::self_at(where);
    const stopping_point& here = m.stopped[self.number(where.progress())];
    if (here.early) return progress_result::stopped;
    const moment& at = where.now();
    const progress_result w = Chain::walk(m, where, at, pull, here.place);
    return meet(m, self, at, w == progress_result::complete ? progress_result::partial : w);
  }

  /// Runs no more, having finished the progress \p where is at.
  static void leave(Machine& m, const position& where) {
    leave_before(m, Chain::self_at(where), where.next_progress(), where.epoch());
  }

 protected:
  template <class Self>
  static void leave_before(Machine& m, const Self& self, std::size_t next, std::uint32_t epoch) {
    stopping_point& left = m.stopped[self.number(next)];
    left.progress = next;
    left.place = 0;
    release(m, self, next, epoch);
  }

  /// Inside a handler: the node at \p place in the thread's chain threw \p error.
  template <class Self>
  [[gnu::noinline, gnu::cold]] static progress_result failed(Machine& m, const Self& self,
                                                             std::size_t node, std::size_t place,
                                                             std::size_t progress,
                                                             std::uint32_t epoch,
                                                             std::exception_ptr error) {
    stopping_point& here = m.stopped[self.number(progress)];
    const std::size_t batch = progress - m.lag_of(node);
    bool has_run = false;
    if constexpr (Machine::observed)
      has_run = detail::tell_observer(m.observer, self.number(progress), node, batch, error);
    if constexpr (Machine::collects) {
      if constexpr (requires { m.collectives.threw(node); }) m.collectives.threw(node);
      if (only_stopped(error)) return stop_at(m, self, progress, place + has_run, epoch);
    }
    caught failure{node, std::move(error), progress, progress};
    if constexpr (Machine::drains) {
      // What was passed over after it had failed, and failed again, cannot be gone on from.
      if (here.failure.node != node || here.failure.progress != progress) {
        failure.place = m.place_of(node, batch);
        m.passed_by(node, progress) = {has_run ? batch + 1 : batch, !has_run};
        here.failure = failure;
        here.place = place;
        m.end_early(failure, batch);
        m.release_pull(epoch);
        m.ask_source_to_stop();
        return progress_result::partial;
      }
    }
    if (here.failure.node == planner::none) here.failure = std::move(failure);
    m.tell_to_stop();  // published by the signals that follow
    m.ask_source_to_stop();
    return stop_at(m, self, progress, place + has_run, epoch);
  }

  /// A task that is passed over in a progress: for good, if that is because the run ends before.
  template <class Self>
  static void note_passed(Machine& m, const Self& self, std::size_t node, std::size_t progress) {
    if constexpr (Machine::drains) {
      const caught& failed = m.stopped[self.number(progress)].failure;
      const bool noted = failed.node == node && failed.progress == progress;
      if (!noted) note_passed(m, node, progress);
    }
  }

  /// Stops before a place in the thread's chain.
  template <class Self>
  [[gnu::noinline, gnu::cold]] static progress_result stop_at(Machine& m, const Self& self,
                                                              std::size_t progress,
                                                              std::size_t place,
                                                              std::uint32_t epoch) {
    stopping_point& here = m.stopped[self.number(progress)];
    here.progress = progress;
    here.place = place;
    here.early = true;
    release(m, self, progress, epoch);
    return progress_result::stopped;
  }

 private:
  [[gnu::noinline, gnu::cold]] static void note_passed(Machine& m, std::size_t node,
                                                       std::size_t progress) {
    // Before the first batch of the run a task is passed over anyhow.
    if (progress < m.first + m.lag_of(node)) return;
    const std::size_t batch = progress - m.lag_of(node);
    if (!m.has_failed() || !m.failure.ends_before(m.place_of(node, batch))) return;
    passed_over& by = m.passed_by(node, progress);
    if (batch < by.batch) by.batch = batch;
  }

  template <class Self>
  static bool can_be_steady(const Machine& m, const Self& self, std::size_t progress) {
    return progress >= m.called_from && self.is_filled(progress - m.called_from) &&
           progress <= m.batches() + self.newest() && m.may_run_steady() && !m.is_ending_early();
  }

  /// Gives the thread what it needs to submit to the device. Whether it has it.
  template <class Self>
  static bool enter_device(Machine& m, const Self& self, caught& failure) {
    try {
      self.enter_device(m);
    } catch (...) {
      failure = {self.first_node(), std::current_exception()};
      return false;
    }
    return true;
  }

  /// Before a progress: who waits for whom to start.
  [[gnu::always_inline]] static void begin(Machine& m, const position& where) {
    const auto self = Chain::self_at(where);
    const std::uint32_t before = where.epoch();
    if constexpr (Machine::submits)
      if (self.is_caller() && where.next_progress() != 0) m.release_result(where.progress());
    if constexpr (Machine::may_meet) {
      if (m.meets) {
        if (self.is_caller()) {
          if (m.opens) m.start.open.publish(before + 1);
        } else if (!self.is_opened_by_pull()) {
          m.start.open.await(before + 1);
        }
        return;
      }
    }
    if (self.is_caller()) m.publish_delivery(before);
  }

  /// The barrier after a progress.
  template <class Self>
  [[gnu::always_inline]] static progress_result meet([[maybe_unused]] Machine& m,
                                                     [[maybe_unused]] const Self& self,
                                                     [[maybe_unused]] const moment& at,
                                                     progress_result w) {
    if constexpr (Machine::may_meet) {
      if (!m.meets) return w;
      if (w == progress_result::stopped) [[unlikely]]
        return w;
      if (!self.is_caller()) {
        self.closed(m, at).publish(at.epoch());
        return w;
      }
      m.each_closed_at(at, [&at](auto&& signal) { signal.await(at.epoch()); });
      if (m.stopping()) [[unlikely]]
        return m.is_ending_early()
                   ? progress_result::partial  // others may not have run what they were to
                   : stop_at(m, self, at.progress() + 1, 0, at.epoch());
    }
    return w;
  }

  /// Lets everybody go on who waits for this thread, now or later. \p progress is one of its own.
  template <class Self>
  [[gnu::noinline]] static void release(Machine& m, const Self& self, std::size_t progress,
                                        std::uint32_t epoch) {
    self.each_owned(m, progress,
                    [epoch](auto& signal) { signal.publish(epoch + detail::released_forever); });
    if constexpr (requires { self.end_calls(m); }) self.end_calls(m);
    if constexpr (Machine::may_meet) {
      if (!m.meets) return;
      if (self.is_caller()) {
        m.start.open.publish(epoch + detail::released_forever);
      } else {
        m.closed[self.number(progress) - 1].publish(epoch + detail::released_forever);
      }
    }
  }
};

}  // namespace stretto::runner
