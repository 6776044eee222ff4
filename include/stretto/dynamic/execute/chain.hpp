// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
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
#include <stretto/run/session/protocol.hpp>
#include <stretto/run/stand_in.hpp>
#include <utility>
#include <vector>

namespace stretto::dynamic::detail {

using runner::progress_result;

/// A host thread's tasks as a table: the steps of a progress are walked over, whichever they are.
/// What a thread does besides, run/session/protocol.hpp says.
template <class Machine>
class chain : public runner::protocol<Machine, chain<Machine>> {
  using rules = runner::protocol<Machine, chain>;
  friend rules;
  using position = typename Machine::position;
  using waiting = typename Machine::waiting;
  using signal = typename Machine::signal;

  static constexpr bool may_alternate = true;
  static constexpr bool may_be_steady = true;

  /// Who the thread is.
  struct identity {
    const host& of;

    bool is_caller() const { return of.number == 0; }
    std::size_t workers() const { return of.workers; }
    std::size_t newest() const { return of.newest; }
    bool is_filled(std::size_t progress) const { return progress >= of.oldest; }
    std::size_t first_node() const { return of.facts_at(0).node; }
    std::size_t number(std::size_t /*progress*/) const { return of.number; }
    void enter_device(Machine& m) const { m.device.enter(of.thread); }
    /// Calls \p use with each signal that others may wait for.
    template <class Use>
    void each_owned(Machine&, std::size_t /*progress*/, Use use) const {
      for (void* const s : of.owned) use(*static_cast<signal*>(s));
    }
    /// Waits until the calls that this thread began have ended; there are no others in this run.
    void end_calls(Machine& m) const {
      for (const std::size_t number : of.begins) {
        auto& c = m.coroutines[number];
        const std::size_t next = c.calls.end();
        if (!m.stopped[c.own->number].early)
          rules::leave_before(m, identity{*c.own}, next, position::epoch_of(next));
      }
    }
    bool is_opened_by_pull() const { return of.opened_by_pull; }
    auto closed(Machine& m, const position& at) const { return m.closed_at(at); }
  };
  static identity self_at(const position& where) { return {where.self()}; }

  /// The machine has the source.
  struct no_pull {};

 public:
  // One code for all sources: the machine has them.

  static void run(Machine& m, position& where) {
    no_pull none;
    rules::run(m, where, none);
  }
  template <class Pull>
  static progress_result steady(Machine& m, position& where, Pull&) {
    no_pull none;
    return rules::steady(m, where, none);
  }
  template <class Pull>
  static progress_result masked(Machine& m, position& where, Pull&) {
    no_pull none;
    return rules::masked(m, where, none);
  }
  template <class Pull>
  static progress_result rest(Machine& m, position& where, Pull&) {
    no_pull none;
    return rules::rest(m, where, none);
  }

  /// Begins a call of a task that is a coroutine.
  static const word* begin_call(const word* at) {
    auto& begun = object_of<typename Machine::coroutine>(at);
    const task_facts& facts = facts_of(at);
    facts.now->thrower = at;
    begun.calls.template begin<rules_of_call>({&begun, at + slots_begin, facts.now->progress});
    return go_on(at + facts.words);
  }

  /// Between two tasks of a segment: ends it if no more are to start.
  static const word* go_on_unless_stopping(const word* at) {
    auto& m = object_of<Machine>(at);
    if (m.command.load(std::memory_order_relaxed) != runner::run_command::go_on) [[unlikely]]
      return stop_or_go_on(m, at + 2);
    return go_on(at + 2);
  }

 private:
  /// Where the run was told something: ends the segment before \p next if that was to stop.
  [[gnu::noinline, gnu::cold]] static const word* stop_or_go_on(Machine& m, const word* next) {
    if (!m.stopping()) return next->body(next);
    facts_of(next).now->undone = next;
    return nullptr;
  }

  /// What follows runs on the thread that begins the call; `finish` on the one that ends it.
  struct rules_of_call {
    using call = typename Machine::call_of_coroutine;
    static Machine& machine(const call& c) { return *c.task->of; }
    static host& own(const call& c) { return *c.task->own; }
    static std::size_t node(const call& c) {
      const auto& threads = machine(c).plan.plan().threads;
      return threads.chained[threads.chains[own(c).thread].first];
    }
    static std::uint32_t epoch(const call& c) { return position::epoch_of(c.progress); }

    static std::size_t progress(const call& c) { return c.progress; }
    static void await(const call& c) {
      for (const wait& w : own(c).waits)
        w.on.at(c.progress - w.back).template as<signal>().await(epoch(c) - w.back);
      const std::vector<wait>& all = own(c).waits;
      await_before_pull(machine(c), c.progress, all.data(), all.data() + all.size());
    }
    static bool stopped(const call& c) { return machine(c).stopped[own(c).number].early; }
    static bool stopping(const call& c) { return machine(c).stopping_at_once(); }
    static void refuse(const call& c) {
      rules::stop_at(machine(c), identity{own(c)}, c.progress, 0, epoch(c));
    }
    static bool fires(const call& c) {
      Machine& m = machine(c);
      const task_facts& facts = facts_of(c.at);
      const bool due = m.fires(facts.lag, c.progress) && facts.is_due();
      const bool given = due && m.is_given(facts.node, facts.lag, c.progress);
      if (due && !given && !is_behind_failure(m, facts, c.progress)) return true;
      rules::note_passed(m, identity{own(c)}, facts.node, c.progress);
      chain::pass(m, facts, c.progress);
      if (given) m.put_given(facts.node, c.progress - facts.lag);
      return false;
    }
    static void start(const call& c, runner::suspended_call& told) {
      order_before(machine(c), node(c), c.progress);
      if constexpr (Machine::observed) started(machine(c), own(c), node(c), c.progress, batch(c));
      facts_of(c.at).now->told = &told;
      c.at->body(c.at);
    }
    static void finish(const call& c) {
      if constexpr (Machine::observed) finished(machine(c), own(c), node(c), batch(c));
      pass(c);
    }
    static void pass(const call& c) {
      const signal_at said = own(c).signal_list.front().said.at(c.progress);
      if (said.then != nullptr) said.template as<signal>().publish(epoch(c));
    }
    static void fail(const call& c) {
      rules::failed(machine(c), identity{own(c)}, node(c), 0, c.progress, epoch(c),
                    std::current_exception());
      if (!stopped(c)) pass(c);
    }

   private:
    static std::size_t batch(const call& c) { return c.progress - machine(c).lag_of(node(c)); }
  };

  [[gnu::always_inline]] static progress_result every_task(Machine& m, position& where,
                                                           const position&, no_pull&) {
    if constexpr (!Machine::observed) {
      if (where.self().flows) [[likely]] {
        if (m.command.load(std::memory_order_relaxed) != runner::run_command::go_on) [[unlikely]]
          return all_of_a_walk(m, where);
        return all_segments(m, where);
      }
    }
    return all_steps(m, where);
  }
  static progress_result walk(Machine& m, position& where, const position&, no_pull&,
                              std::size_t first) {
    return walk(m, where, first);
  }

  /// All steps of a progress, one by one.
  [[gnu::noinline]] static progress_result all_steps(Machine& m, position& where) {
    host& self = where.self();
    const std::size_t progress = where.progress();
    const std::uint32_t epoch = where.epoch();
    const word* at = where.calls();
    self.now.progress = progress;
    interrupt(self);
    // Runs the steps from \c step on, whose waits may be over; that is then the one to stop before.
    const auto until = [&](std::size_t& step, std::size_t end, bool awaited) {
      if (!self.segment_end.empty()) {
        for (; step != end; step = self.segment_end[step]) {
          if (!std::exchange(awaited, false)) await(where, step);
          if (m.stopping()) [[unlikely]]
            return false;
          at = at->body(at);
          if (at == nullptr) [[unlikely]] {
            step = step_undone(where);
            return false;
          }
          tell(where, self.segment_end[step] - 1);
        }
        return true;
      }
      while (step != end) {
        for (const std::size_t last = (std::min)(self.quiet_until[step], end); step != last;
             ++step) {
          if (!is_launched(self, step) && m.stopping()) [[unlikely]]
            return false;
          at = call_step(m, self, at, step);  // each step is a segment
        }
        if (step == end) break;
        if (!is_launched(self, step) && (await(where, step, self), m.stopping())) [[unlikely]]
          return false;
        at = call_step(m, self, at, step);
        if (tell(where, step)) interrupt(self);
        ++step;
      }
      return true;
    };
    std::size_t step = 0;
    try {
      if (self.pulls) {
        await(where, 0, self);
        if (m.pulls_apart) runner::light_fence();  // see machine::release_pull
        if (m.stopping()) [[unlikely]]
          return refuse(m, self, 0, progress, epoch);
        const bool batch = pull_in_turn(m, self, at);
        const bool told = tell(where, 0);
        if (!batch) [[unlikely]]
          return partly(walk(m, where, 1));
        step = 1;
        if (!told) go_straight_on(self);
      } else {
        if (!until(step, self.first_new, false)) [[unlikely]]
          return refuse(m, self, step, progress, epoch);
        // Whether the newest batch exists is known when its first task may start.
        await(where, step);
        if (progress >= m.batches() + self.newest) [[unlikely]]
          return partly(walk(m, where, step));
      }
      if (!until(step, self.steps, !self.pulls)) [[unlikely]]
        return refuse(m, self, step, progress, epoch);
    } catch (...) {
      failed(m, where);
      return progress_result::stopped;
    }
    return progress_result::complete;
  }

  /// The step that a thread was told to stop before within a segment.
  [[gnu::noinline, gnu::cold]] static std::size_t step_undone(const position& where) {
    host& self = where.self();
    const auto undone =
        static_cast<std::size_t>(std::exchange(self.now.undone, nullptr) - where.calls());
    std::size_t step = 0;
    while (self.signal_list[step].own < undone) ++step;
    return step;
  }

  /// Whether a launch that began with a step before has done what is one.
  static bool is_launched([[maybe_unused]] const host& self, [[maybe_unused]] std::size_t step) {
    if constexpr (Machine::replays) return self.launched[step] != 0;
    return false;
  }

  /// Runs a progress on the calling thread alone, if nobody can ask it to stop: segment by segment.
  [[gnu::always_inline]] static progress_result all_segments(Machine& m, position& where) {
    const word* at = where.calls();
    where.self().now.progress = where.progress();
    try {
      if (!pull_in_turn(m, where.self(), at)) [[unlikely]]
        return partly(walk(m, where, 1));
      do at = at->body(at);
      while (at != nullptr);
    } catch (...) {
      failed(m, where);
      return progress_result::stopped;
    }
    return progress_result::complete;
  }

  /// Runs a progress likewise where somebody may ask for a stop between any two tasks.
  [[gnu::noinline]] static progress_result all_of_a_walk(Machine& m, position& where) {
    const progress_result w = walk(m, where, 0);
    return w == progress_result::complete && m.batches() != Machine::not_yet_known
               ? progress_result::partial
               : w;
  }

  static progress_result partly(progress_result w) {
    return w == progress_result::complete ? progress_result::partial : w;
  }

  /// The steps from one on, each only if it fires.
  [[gnu::noinline]] static progress_result walk(Machine& m, position& where, std::size_t first) {
    host& self = where.self();
    const std::size_t progress = where.progress();
    const std::uint32_t epoch = where.epoch();
    self.now.progress = progress;
    interrupt(self);
    for (std::size_t step = first; step < self.steps; ++step) {
      const step_signals& s = self.signal_list[step];
      const word* const at = where.calls() + s.own;
      const task_facts& facts = facts_of(at);
      await(where, step, self);
      await_before_pull(m, progress, self.waits.data() + s.first_wait,
                        self.waits.data() + s.last_wait);
      if (m.stopping_at_once()) return refuse(m, self, step, progress, epoch);
      try {
        if (!facts.suspends && m.is_given(facts.node, facts.lag, progress)) [[unlikely]] {
          pass(m, facts, progress);
          m.put_given(facts.node, progress - facts.lag);
        } else if (facts.node == m.pull()) {
          if (m.batches() == Machine::not_yet_known) {
            order_before(m, facts.node, progress);
            pull(m, self, at);
          } else {
            rules::note_passed(m, identity{self}, facts.node, progress);
            pass(m, facts, progress);
          }
        } else if (m.ends_group(facts, progress) && !is_behind_failure(m, facts, progress)) {
          call_at_end(m, self, at, s.size);
        } else if (facts.suspends || (m.fires(facts.lag, progress) && facts.is_due() &&
                                      !is_behind_failure(m, facts, progress))) {
          word* const alone = self.alone.data();
          std::copy_n(at, s.size, alone)->body = &end_of_segment;
          // What a coroutine waits for it does when it begins.
          const bool orders = Machine::prepares && !facts.suspends;
          if (orders) order_before(m, facts.node, progress);
          call(m, self, alone);
          if constexpr (Machine::prepares)
            if (orders) m.device.after(facts.node, progress, true);
        } else {
          rules::note_passed(m, identity{self}, facts.node, progress);
          pass(m, facts, progress);
          if (m.fires(facts.lag, progress) && !is_behind_failure(m, facts, progress))
            passed_over(m, self, facts, progress);
        }
      } catch (...) {
        self.now.thrower = at;
        if (failed(m, where) == progress_result::stopped) return progress_result::stopped;
        --step;  // now to be passed over
        continue;
      }
      if (tell(where, step)) interrupt(self);
    }
    return progress_result::complete;
  }

  /// Waits for what a step has to wait for.
  [[gnu::always_inline]] static void await(const position& where, std::size_t step) {
    host& self = where.self();
    const step_signals& s = self.signal_list[step];
    // Before progress 0 the epoch is one that every signal has reached, whosoever it is.
    for (std::size_t i = s.first_wait; i != s.last_wait; ++i) {
      wait& w = self.waits[i];
      auto said = where.awaited(i).template as<signal>();
      if (w.is_one()) {
        said.await(where.epoch() - w.back, w.seen);
      } else {
        said.await(where.epoch() - w.back);
      }
    }
  }
  /// Likewise, of a step that is no segment with others.
  [[gnu::always_inline]] static void await(const position& where, std::size_t step, host& self) {
    await(where, step);
    if (const step_signals& s = self.signal_list[step]; s.first_wait != s.last_wait)
      interrupt(self);
  }
  static void await_before_pull(Machine& m, std::size_t progress, const wait* first,
                                const wait* last) {
    if constexpr (Machine::drains)
      if (m.pulls_apart && m.is_ending_early()) [[unlikely]]
        m.await_before_pull(progress, first, last);
  }
  /// Whether a task that fires is not called, because the run ends before.
  static bool is_behind_failure(const Machine& m, const task_facts& of, std::size_t progress) {
    return m.failure.ends_before(m.place_of(of.node, progress - of.lag));
  }

  /// Tells who waits for a step; whether anybody may.
  [[gnu::always_inline]] static bool tell(const position& where, std::size_t step) {
    const signal_at said = where.said(step);
    if (said.then == nullptr) return false;
    said.template as<signal>().publish(where.epoch());
    return true;
  }

  /// Something other than tasks may come next.
  [[gnu::always_inline]] static void interrupt([[maybe_unused]] host& self) {
    if constexpr (Machine::observed) self.now.follows = false;
  }

  /// What comes next follows a task, or a pull, with nothing in between.
  [[gnu::always_inline]] static void go_straight_on([[maybe_unused]] host& self) {
    if constexpr (Machine::observed && !Machine::submits && !Machine::collects)
      self.now.follows = true;
  }

  /// Tells the observer. \p follows: the task comes right after another one.
  static void started(Machine& m, const host& self, std::size_t node, std::size_t progress,
                      std::size_t batch, bool follows = false) {
    try {
      tell_started(m, self, node, progress, batch, follows);
    } catch (...) {
      runner::throw_observer_error(false);
    }
  }
  static void tell_started(Machine& m, const host& self, std::size_t node, std::size_t progress,
                           std::size_t batch, [[maybe_unused]] bool follows) {
    if constexpr (observe::observes_phases<decltype(m.observer)>) {
      const bool filled = planner::filled(m.plan.plan().resolved.max_lookahead, progress - m.first);
      const phase now = progress > m.batches() ? phase::drain
                        : filled               ? phase::steady
                                               : phase::prefill;
      m.observer.started(self.number, node, batch, now);
    } else {
      if constexpr (observe::observes_successions<decltype(m.observer)>)
        if (follows) return m.observer.started(self.number, node, batch, back_to_back{});
      m.observer.started(self.number, node, batch);
    }
  }

  static void submitted([[maybe_unused]] Machine& m, [[maybe_unused]] const host& self,
                        [[maybe_unused]] std::size_t node, [[maybe_unused]] std::size_t batch) {
    if constexpr (observe::observes_submissions<decltype(m.observer)>) {
      m.device.after_body(node);  // before other calls, which could hide what it has left behind
      try {
        m.observer.submitted(self.number, node, batch);
      } catch (...) {
        runner::throw_observer_error(true);
      }
    }
  }
  static void finished(Machine& m, const host& self, std::size_t node, std::size_t batch) {
    try {
      m.observer.finished(self.number, node, batch);
    } catch (...) {
      runner::throw_observer_error(true);
    }
  }

  /// Of the source; \p had_one: it had the batch.
  static void pulled(Machine& m, const host& self, std::size_t node, std::size_t batch,
                     [[maybe_unused]] bool had_one) {
    if constexpr (observe::observes_empty_sources<decltype(m.observer)>) {
      if (!had_one) {
        try {
          m.observer.no_batch(self.number, node, batch);
        } catch (...) {
          runner::throw_observer_error(true);
        }
        return;
      }
    }
    finished(m, self, node, batch);
  }

  /// Of a task whose batch is dropped because it failed.
  static void failure_dropped(Machine& m, const host& self, std::size_t node, std::size_t batch) {
    if constexpr (observe::observes_dropped_failures<decltype(m.observer)>) {
      try {
        m.observer.failure_dropped(self.number, node, batch);
      } catch (...) {
        runner::throw_observer_error(true);
      }
    } else {
      finished(m, self, node, batch);
    }
  }

  /// Of a task that a batch is there for and that does not run for it: if that is because another
  /// one has dropped the batch.
  static void passed_over([[maybe_unused]] Machine& m, [[maybe_unused]] const host& self,
                          [[maybe_unused]] const task_facts& of,
                          [[maybe_unused]] std::size_t progress) {
    if constexpr (observe::observes_drops<decltype(m.observer)>) {
      const std::size_t batch = progress - of.lag;
      if (of.node == m.deliver() || !planner::runs_for(of.runs, batch)) return;
      try {
        m.observer.passed_over(self.number, of.node, batch);
      } catch (...) {
        runner::throw_observer_error(false);
      }
    }
  }

  /// Has the device wait for what a node needs.
  static void order_before([[maybe_unused]] Machine& m, [[maybe_unused]] std::size_t node,
                           [[maybe_unused]] std::size_t progress) {
    if constexpr (Machine::submits) {
      m.device.before(node, progress);
      m.go_on();
    }
  }

  /// Of a task that does not fire: what others have to wait for leads through it, too.
  static void pass([[maybe_unused]] Machine& m, [[maybe_unused]] const task_facts& of,
                   [[maybe_unused]] std::size_t progress) {
    if constexpr (Machine::submits) {
      // A worker that learns late of the end finds nothing recorded there any more.
      if (m.over(progress)) return;
      m.device.before(of.node, progress);
      m.device.after(of.node, progress, false);
    }
  }

  /// Makes the calls of a segment that is a step. Returns where the next one begins.
  [[gnu::always_inline]] static const word* call_step(Machine& m, host& self, const word* at,
                                                      [[maybe_unused]] std::size_t step) {
    if constexpr (Machine::observed && Machine::replays) {
      const word* const own = self.words.data() + self.signal_list[step].own;
      const std::size_t group = m.device.group_of(facts_of(own).node);
      if (group != planner::none) return call_launched(m, self, at, own, group);
    }
    return call(m, self, at);
  }
  [[gnu::always_inline]] static const word* call(Machine& m, host& self, const word* at) {
    if constexpr (Machine::observed) {
      const task_facts& facts = facts_of(at);
      const std::size_t progress = self.now.progress;
      self.now.thrower = at;
      if (facts.apart) return call_apart(m, self, at, facts);
      if (!facts.is_due()) [[unlikely]] {
        pass(m, facts, progress);
        return at->body(at);
      }
      order_before(m, facts.node, progress);
      if (facts.node == m.deliver()) return at->body(at);
      started(m, self, facts.node, progress, progress - facts.lag, self.now.follows);
      const word* const next = call_body(m, self, at, facts);
      if constexpr (Machine::submits) {
        submitted(m, self, facts.node, progress - facts.lag);
        m.device.after(facts.node, progress, true);
      }
      finished(m, self, facts.node, progress - facts.lag);
      go_straight_on(self);
      return next;
    } else {
      return at->body(at);
    }
  }

  /// Calls a body, unless the observer stands in for it.
  [[gnu::always_inline]] static const word* call_body(Machine& m, [[maybe_unused]] const host& self,
                                                      const word* at,
                                                      [[maybe_unused]] const task_facts& facts) {
    if constexpr (runner::replaces_bodies<decltype(m.observer)>) {
      if (m.plan.declaration().tasks[facts.node].collective) return at->body(at);
      if (stand_in<false>(m, self, at, facts)) return at + facts.words + 1;  // behind its segment
      const word* const next = at->body(at);
      const bool threw =
          facts.verdicts != nullptr && m.verdicts.threw(facts.node, self.now.progress - facts.lag);
      if (!threw) stand_in<true>(m, self, at, facts);
      return next;
    } else {
      return at->body(at);
    }
  }
  /// Asks whether the observer has stood in for a body, or tells it that the body is done.
  template <bool Done>
  [[gnu::noinline]] static bool stand_in(Machine& m, const host& self, const word* at,
                                         const task_facts& facts) {
    const word* const own = facts.may_be_due() ? at + slots_begin : at;  // behind its gate
    std::vector<void*> written;
    for (std::size_t i = 0; i < facts.names.named.size(); ++i)
      if (facts.names.named[i].writes) written.push_back(own[slots_begin + i].slot);
    const std::size_t batch = self.now.progress - facts.lag;
    try {
      if constexpr (Done) {
        m.observer.body_done(self.number, facts.node, batch, written);
        return true;
      } else {
        return m.observer.stand_in(self.number, facts.node, batch, written);
      }
    } catch (...) {
      runner::throw_observer_error(Done);
    }
  }

  /// Of a task that may drop its batch, or comes after one that may, with whoever watches; or of a
  /// coroutine, whose end its observer is told by who ends it.
  [[gnu::noinline]] static const word* call_apart(Machine& m, host& self, const word* at,
                                                  const task_facts& facts) {
    if (facts.suspends) {
      interrupt(self);
      return at->body(at);
    }
    const std::size_t progress = self.now.progress;
    const std::size_t batch = progress - facts.lag;
    if (!facts.is_due()) {
      pass(m, facts, progress);
      passed_over(m, self, facts, progress);
      return at->body(at);
    }
    order_before(m, facts.node, progress);
    started(m, self, facts.node, progress, batch, self.now.follows);
    const word* const next = call_body(m, self, at, facts);
    if (m.verdicts.threw(facts.node, batch)) {
      failure_dropped(m, self, facts.node, batch);
    } else {
      if constexpr (Machine::submits) {
        submitted(m, self, facts.node, batch);
        m.device.after(facts.node, progress, true);
      }
      finished(m, self, facts.node, batch);
    }
    go_straight_on(self);
    return next;
  }

  /// Calls a task for what is left of a group at the end of the stream.
  [[gnu::noinline, gnu::cold]] static void call_at_end(Machine& m, host& self, const word* at,
                                                       std::size_t size) {
    const task_facts& facts = facts_of(at);
    const std::size_t progress = self.now.progress;
    const std::size_t last = m.source_end.load(std::memory_order_relaxed) - 1;
    if (facts.verdicts != nullptr && facts.verdicts->skips(facts.node, last))
      return pass(m, facts, progress);
    order_before(m, facts.node, progress);
    if constexpr (Machine::observed) started(m, self, facts.node, progress, progress - facts.lag);
    const word* const call = m.call_at_end(self, facts, at, size, last);
    if constexpr (Machine::observed) {
      call_body(m, self, self.alone.data(), call, facts);
    } else {
      call->body(call);
    }
    if constexpr (Machine::submits) {
      if constexpr (Machine::observed) submitted(m, self, facts.node, progress - facts.lag);
      m.device.after(facts.node, progress, true);
    }
    if constexpr (Machine::observed) finished(m, self, facts.node, progress - facts.lag);
  }
  /// Likewise its body alone, which lies at \p call, behind its gate at \p at.
  static void call_body(Machine& m, [[maybe_unused]] const host& self,
                        [[maybe_unused]] const word* at, const word* call,
                        [[maybe_unused]] const task_facts& facts) {
    if constexpr (runner::replaces_bodies<decltype(m.observer)>) {
      if (stand_in<false>(m, self, at, facts)) return;
      call->body(call);
      stand_in<true>(m, self, at, facts);
    } else {
      call->body(call);
    }
  }

  /// Of a step that a launch does, with whoever watches.
  static const word* call_launched(Machine& m, host& self, const word* at, const word* own,
                                   std::size_t group) {
    const task_facts& facts = facts_of(own);
    const std::size_t progress = self.now.progress;
    const std::size_t batch = progress - facts.lag;
    const bool begins = m.device.groups()[group].nodes.front() == facts.node;
    const bool spans = m.device.graphs_of(group).spans;
    self.now.thrower = own;
    if (begins && !spans) order_before(m, facts.node, progress);
    if (begins && spans) m.go_on();
    started(m, self, facts.node, progress, batch);
    const word* const next = at->body(at);
    if (begins && !spans) m.device.after(m.device.groups()[group].nodes.back(), progress, false);
    finished(m, self, facts.node, batch);
    return next;
  }

  /// Asks the source for a batch; whether there was one. \p at: the first of a progress's calls,
  /// and then the one behind the pull.
  [[gnu::always_inline]] static bool pull_in_turn(Machine& m, host& self, const word*& at) {
    if constexpr (Machine::prepares) at = at->body(at);
    self.now.thrower = at;
    if constexpr (Machine::observed) order_before(m, facts_of(at).node, self.now.progress);
    const word* const own = at;
    at += slots_begin + 2;  // its slot, and the end of its segment
    return pull(m, self, own);
  }
  [[gnu::always_inline]] static bool pull(Machine& m, const host& self, const word* at) {
    const std::size_t& progress = self.now.progress;  // kept there
    if constexpr (Machine::observed) started(m, self, facts_of(at).node, progress, progress);
    bool batch = m.feed.fill(m.feed.source, at[slots_begin].slot);
    if constexpr (Machine::collects)
      if (m.agrees_on_end())
        batch = m.collectives.agree(batch, progress, [&m] { return m.stopping(); });
    if (!batch) m.end_source(progress);
    if constexpr (Machine::observed) pulled(m, self, facts_of(at).node, progress, batch);
    return batch;
  }

  /// Inside a handler, of what the thread's calls threw.
  [[gnu::noinline, gnu::cold]] static progress_result failed(Machine& m, const position& where) {
    host& self = where.self();
    const task_facts& facts = facts_of(self.now.thrower);
    std::size_t place = facts.place;
    if (const word* const undone = std::exchange(self.now.undone, nullptr))
      place = facts_of(undone).place;
    const progress_result w = rules::failed(m, identity{self}, facts.node, place, where.progress(),
                                            where.epoch(), std::current_exception());
    if (w != progress_result::stopped) {  // to go on at the step
      std::size_t step = 0;
      while (self.facts_at(step).place < place) ++step;
      m.stopped[self.number].place = step;
    }
    return w;
  }

  /// Stops before a step, or ends the steady progress there.
  [[gnu::noinline, gnu::cold]] static progress_result refuse(Machine& m, const host& self,
                                                             std::size_t step, std::size_t progress,
                                                             std::uint32_t epoch) {
    if (!m.is_ending_early())
      return rules::stop_at(m, identity{self}, progress, self.facts_at(step).place, epoch);
    m.stopped[self.number].place = step;
    return progress_result::stopped;
  }
};

}  // namespace stretto::dynamic::detail
